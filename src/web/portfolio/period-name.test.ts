import { expect, it } from 'vitest';
import { coveredDays, neighbours, periodName } from './period-name.ts';

it.each([
  ['day', '2026-05-14', '14 May 2026'],
  ['month', '2026-05-01', 'May 2026'],
  ['quarter', '2026-04-01', 'Q2 2026'],
  ['year', '2026-01-01', '2026'],
] as const)('a %s from %s is called %s', (period, from, name) =>
  expect(periodName({ period, from })).toBe(name),
);

it('leads to the periods before and after, as far as there is something to state', () => {
  const of = (first_day: string, last_day: string) =>
    neighbours({ from: '2026-03-01', to: '2026-03-31', first_day, last_day } as never);
  expect(of('2026-01-14', '2026-05-08')).toEqual({ before: '2026-02-28', after: '2026-04-01' });
  expect(of('2026-03-01', '2026-03-31')).toEqual({ before: null, after: null });
});

it('says how far a period goes that has not ended', () => {
  const of = (from: string, to: string, last_day: string) => coveredDays({ from, to, last_day } as never);
  expect(of('2026-02-01', '2026-02-28', '2026-02-17')).toBe('1 Feb 2026 to 17 Feb 2026, so far');
  expect(of('2026-01-01', '2026-01-31', '2026-02-17')).toBe('1 Jan 2026 to 31 Jan 2026');
  expect(of('2026-02-17', '2026-02-17', '2026-02-17')).toBeUndefined();
});
