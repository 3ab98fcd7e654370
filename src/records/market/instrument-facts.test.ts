import { beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, instant, type IsoDate, parseInstant } from '#units/instant.ts';
import { openFactBook } from './fact-book.ts';
import { listInstrumentFacts, saveInstrumentFacts } from './instrument-facts.ts';
import { saveInstruments } from './instruments.ts';
import { formerTickersAt, tickerAt } from './shown-tickers.ts';

const { database } = await testDatabase();
const FB = 'FB' as Symbol;
const source = 'alpaca';
const fact = (value: string, from: string) =>
  ({ symbol: FB, kind: 'ticker', value, from: from as IsoDate }) as const;
const known = (at: string) => ({ source, knownAt: parseInstant(`${at}T12:00:00Z`) });

beforeAll(async () => {
  await saveInstruments(database, [equityInstrument('FB')], 'live');
  await saveInstrumentFacts(database, [fact('FB', '2022-01-03')], known('2022-01-03'));
  await saveInstrumentFacts(database, [fact('MVRS', '2022-06-09')], known('2022-06-01'));
  await saveInstrumentFacts(database, [fact('META', '2022-06-09')], known('2022-06-08'));
});

it('tells what was known at a time: a correction counts from when it was learned', async () => {
  const at = async (time: string) =>
    (await listInstrumentFacts(database, { source, knownAt: known(time).knownAt })).map(({ value }) => value);
  expect(await at('2022-02-01')).toEqual(['FB']);
  expect(await at('2022-06-07')).toEqual(['FB', 'MVRS']);
  expect(await at('2022-06-08')).toEqual(['FB', 'META']);
  expect(await listInstrumentFacts(database, { source: 'another' })).toEqual([]);
});

it('keeps nothing twice, and nothing of what the market does not have', async () => {
  await saveInstrumentFacts(database, [fact('META', '2022-06-09')], known('2022-06-08'));
  await saveInstrumentFacts(
    database,
    [{ ...fact('X', '2022-06-09'), symbol: 'X' as Symbol }],
    known('2022-06-08'),
  );
  expect(await listInstrumentFacts(database, { source })).toHaveLength(2);
});

it('is never changed', async () => {
  await expect(sql`update instrument_facts set value = 'OTHER'`.execute(database)).rejects.toThrow();
  await expect(sql`delete from instrument_facts`.execute(database)).rejects.toThrow();
});

it('shows people the ticker of a day, and the earlier ones', async () => {
  const shown = async (day: string, symbol = 'FB') => {
    const [named, at] = [`'${symbol}'::text`, `'${day} 16:00 America/New_York'::timestamptz`];
    const { rows } = await sql<{ ticker: string; formerly: string[] }>`
      select ${sql.raw(tickerAt(named, at))} as ticker, ${sql.raw(formerTickersAt(named, at))} as formerly`.execute(
      database,
    );
    return rows[0]!;
  };
  expect(await shown('2021-01-01')).toEqual({ ticker: 'FB', formerly: [] });
  expect(await shown('2022-06-08')).toEqual({ ticker: 'FB', formerly: [] });
  expect(await shown('2022-06-09')).toEqual({ ticker: 'META', formerly: ['FB'] });
  expect(await shown('2022-06-09', 'SPY')).toEqual({ ticker: 'SPY', formerly: [] });
});

it('a book reads again what was learned, after a while', async () => {
  let now = instant(0);
  const book = await openFactBook(database, [source], () => now);
  const before = book.facts().length;
  await saveInstrumentFacts(database, [fact('META.X', '2030-01-01')], known('2029-12-31'));
  await book.refresh();
  expect(book.facts()).toHaveLength(before);
  now = instant(DAY_MS);
  await book.refresh();
  expect(book.facts()).toHaveLength(before + 1);
});
