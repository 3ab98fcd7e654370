import { expect, test } from 'vitest';
import { readClaimFile } from './claim-file.ts';

const TODAY = '2026-06-30';
const days = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
const file = (head: string, of: (i: number) => string, count = 20) =>
  [head, ...days(count).map((day, i) => `${day},${of(i)}`)].join('\n');
const problemOf = (text: string) => {
  const read = readClaimFile(text, TODAY);
  return read.ok ? null : read.problem;
};
/** A good file whose third line is this. */
const withThird = (line: string, head = 'date,value') =>
  file(head, () => '1')
    .split('\n')
    .toSpliced(2, 1, line)
    .join('\r\n');

test('values and returns of the same record are the same growth', () => {
  const values = readClaimFile(
    file('date,value', (i) => String(100 * 1.01 ** i)),
    TODAY,
  );
  const returns = readClaimFile(`\uFEFF${file('Date, Return', (i) => (i === 0 ? '0' : '1%'))}\n\n`, TODAY);
  if (!values.ok || !returns.ok) throw new Error('both are good');
  expect([values.file.kind, returns.file.kind]).toEqual(['values', 'returns']);
  expect(values.file.labels).toEqual(returns.file.labels);
  for (const [i, worth] of values.file.data.entries()) expect(worth).toBeCloseTo(returns.file.data[i]!, 9);
});

test('a bad line is named, and nothing is guessed', () => {
  expect(problemOf('2026-01-01,1')).toBe('Line 1 must say what the columns are: date,value or date,return.');
  expect(problemOf('')).toBe('Line 1 must say what the columns are: date,value or date,return.');
  expect(problemOf(withThird('2026-01-02;1'))).toBe(
    'Line 3 must have two cells with one comma between: a date and a number.',
  );
  expect(problemOf(withThird('2026-01-02,1,000'))).toContain('Line 3 must have two cells');
  expect(problemOf(withThird('02.01.2026,1'))).toBe(
    'Line 3: “02.01.2026” is not a day. Write it as 2026-01-31.',
  );
  expect(problemOf(withThird('2026-02-30,1'))).toContain('is not a day');
  expect(problemOf(withThird('2026-01-01,1'))).toBe(
    'Line 3: 2026-01-01 must be later than 2026-01-01, the day of the line before.',
  );
  expect(problemOf(withThird('2026-01-02,$1'))).toBe(
    'Line 3: “$1” is not a number. Write it as 10250.75, without currency and thousands separators.',
  );
  expect(problemOf(withThird('2026-01-02,=1+1', 'date,return'))).toContain('Write it in percent');
  expect(problemOf(withThird('2026-01-02,0'))).toBe('Line 3: a value must be above zero.');
  expect(problemOf(withThird('2026-01-02,-100', 'date,return'))).toBe(
    'Line 3: a return must be above -100 and below 1,000 percent.',
  );
  expect(problemOf(withThird('2026-05-01,1'))).toContain('more than a month is missing');
  expect(problemOf(file('date,value', () => '1', 19))).toBe(
    'The file has 19 days. A record needs at least 20.',
  );
  expect(problemOf(file('date,value', () => '1', 200))).toBe('Line 183: 2026-07-01 has not been yet.');
});
