import { expect, it } from 'vitest';
import { DAY_MS, instant } from '#units/instant.ts';
import { micro } from '#units/money.ts';
import { judgeCash } from './judge-cash.ts';

const NOW = instant(9 * DAY_MS);
const LOOK = {
  unexplained: micro(10_001),
  isGuessed: false,
  seen: micro(10_001),
  pendingSince: null,
  ratesOpenSince: null,
  netting: { max: micro(0), since: null },
  now: NOW,
};

it('calls a difference beyond a cent what two looks in a row see alike', () => {
  expect(judgeCash(LOOK)).toBe('difference');
  expect(judgeCash({ ...LOOK, unexplained: micro(-10_001), seen: micro(-10_001) })).toBe('difference');
  expect(judgeCash({ ...LOOK, seen: null })).toBe('waits');
  expect(judgeCash({ ...LOOK, seen: micro(10_002) })).toBe('waits');
  for (const cents of [10_000, 0, -10_000]) {
    const unexplained = micro(cents);
    expect(judgeCash({ ...LOOK, unexplained, seen: unexplained })).toBe('explained');
  }
});

it('takes no rate for an explanation before the end of the session is booked', () => {
  expect(judgeCash({ ...LOOK, unexplained: micro(0), isGuessed: true })).toBe('waits');
});

it('waits for what is under way, but for no longer than a day', () => {
  for (const excuse of ['pendingSince', 'ratesOpenSince']) {
    expect(judgeCash({ ...LOOK, [excuse]: instant(NOW - DAY_MS + 1) })).toBe('waits');
    expect(judgeCash({ ...LOOK, [excuse]: instant(NOW - DAY_MS) })).toBe('difference');
  }
});

it('excuses what an unsure net position can make up for a week, and nothing beyond that amount', () => {
  const netting = (max: number, days: number) => ({ max: micro(max), since: instant(NOW - days * DAY_MS) });
  expect(judgeCash({ ...LOOK, netting: netting(10_001, 6.9) })).toBe('waits');
  expect(judgeCash({ ...LOOK, netting: netting(10_001, 7) })).toBe('difference');
  expect(judgeCash({ ...LOOK, netting: netting(10_000, 0) })).toBe('difference');
});
