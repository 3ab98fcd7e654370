import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from '#units/instant.ts';
import { quantity, quantityText } from '#units/quantity.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { type BinaryRows, binaryRows } from './binary-rows.ts';
import { copyRows } from './copy-rows.ts';

const { database, pool } = await testDatabase();

/** What PostgreSQL made of one column of these values, as text, in their order. */
async function stored<Value>(
  type: string,
  values: readonly Value[],
  write: (rows: BinaryRows, value: Value) => void,
): Promise<(string | null)[]> {
  await pool.query(`drop table if exists written; create table written (place integer, value ${type})`);
  const rows = binaryRows(2);
  for (const [place, value] of values.entries()) {
    rows.row();
    rows.integer(place);
    write(rows, value);
  }
  const into = { table: 'written', columns: ['place', 'value'] };
  await database.transaction().execute((trx) => copyRows(trx, into, rows.bytes()));
  const { rows: found } = await pool.query<{ value: string | null }>(
    `select value::text as value from written order by place`,
  );
  return found.map(({ value }) => value);
}

/** What PostgreSQL makes of the same values when it reads them from text. */
async function readAs(type: string, texts: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ value: string }>(
    `select value::${type}::text as value from unnest($1::text[]) with ordinality as t (value, place) order by place`,
    [texts],
  );
  return rows.map(({ value }) => value);
}

test('every text comes back as it went in, and null stays apart from every text', async () => {
  const texts = [
    'plain',
    'a\tb',
    'a\nb\r\n',
    'back\\slash',
    '\\N',
    '',
    'é ☂ 𝄞',
    '☂'.repeat(5_000),
    'x'.repeat(40_000),
  ];
  expect(await stored('text', [...texts, null], (rows, text) => rows.text(text))).toEqual([...texts, null]);
});

test('every decimal number is the one that PostgreSQL reads, with as many decimals', async () => {
  const edges = [
    '0',
    '0.00',
    '-0',
    '1',
    '-1',
    '10000',
    '9999.9999',
    '0.0001',
    '0.00001',
    '100000000',
    '1.50',
    '007.5',
  ];
  const exponents = ['1e-7', '-2.5e-9', '1e+21', '1.2345e+21', '3e-320'];
  const drawn = fc.sample(
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.maxSafeInteger().map((value) => quantityText(quantity(value))),
      fc
        .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.stringMatching(/^\d{1,20}$/))
        .map(([a, b]) => `${a}.${b}`),
    ),
    { numRuns: 3_000, seed: 7 },
  );
  const texts = [...edges, ...exponents, ...drawn];
  expect(await stored('numeric', texts, (rows, text) => rows.numeric(text))).toEqual(
    await readAs('numeric', texts),
  );
});

test('what is no decimal number is refused before anything is sent', () => {
  for (const text of ['', 'NaN', 'Infinity', '1.', '.5', '1e5x', '0x1', ' 1'])
    expect(() => binaryRows(1).numeric(text)).toThrow(RangeError);
});

test('ids, whole numbers, times and documents come back as they went in', async () => {
  const ids = [
    '00000000-0000-0000-0000-000000000000',
    'b8c9540a-a482-4195-b422-a92fe59f6e9d',
    'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
  ];
  const lower = ids.map((id) => id.toLowerCase());
  expect(await stored('uuid', [...ids, null], (rows, id) => rows.uuid(id))).toEqual([...lower, null]);
  const numbers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
  expect(await stored('integer', numbers, (rows, value) => rows.integer(value))).toEqual(numbers.map(String));
  const times = [
    '2026-11-22T18:15:42.543Z',
    '2000-01-01T00:00:00.000Z',
    '1999-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.001Z',
    '2199-06-01T00:00:00.000Z',
  ];
  const micros = await stored('timestamptz', [...times, null], (rows, time) =>
    rows.instant(time === null ? null : parseInstant(time)),
  );
  expect(micros.map((text) => text && new Date(text).toISOString())).toEqual([...times, null]);
  const documents = [{ a: ['☂', 1, null] }, [], null];
  expect(await stored('jsonb', documents, (rows, value) => rows.json(value))).toEqual([
    '{"a": ["☂", 1, null]}',
    '[]',
    null,
  ]);
});

test('a text that is no UUID is refused before anything is sent', () => {
  for (const text of [
    '',
    'b8c9540a',
    'b8c9540a-a482-4195-b422-a92fe59f6e9',
    'b8c9540a-a482-4195-b422-a92fe59f6e9dd',
    'b8c9540a-a482-4195-b422-a92fe59f6e9g',
    'b8c9540a-a482-4195-b422-a92fe59f6e9☂',
  ])
    expect(() => binaryRows(1).uuid(text), text).toThrow(RangeError);
});
