import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { isoDate, parseInstant } from '#units/instant.ts';
import { barSeries } from '../market/bar-series.ts';
import { parseOption } from '../market/option-contract.ts';
import { type OptionOverlay, withOptions } from './option-overlay.ts';

const SHARES = 'AAA' as Symbol;
const OVERLAY: OptionOverlay = { structure: 'covered_call', underlyings: [SHARES], strikePercent: 102 };

/** Daily bars from 2 March 2026 on, a row a close. */
function known(...closes: number[]) {
  const bars = closes.map((close, day) => ({
    openedAt: parseInstant(`2026-03-0${2 + day}T14:30:00.000Z`),
    closedAt: parseInstant(`2026-03-0${2 + day}T21:00:00.000Z`),
    date: isoDate(2026, 3, 2 + day),
    open: 100,
    high: 100,
    low: 100,
    close,
    volume: 1,
  }));
  return { bars: barSeries(SHARES, '1d', bars), last: closes.length - 1 };
}

function callOn(...closes: number[]) {
  const [shares, call] = withOptions([{ symbol: SHARES, weight: 0.5 }], OVERLAY, () => known(...closes));
  expect(shares).toEqual({ symbol: SHARES, weight: 0.5 });
  return call && { weight: call.weight, strike: parseOption(call.symbol)!.strike };
}

test.each([Number.NaN, 0, Number.POSITIVE_INFINITY])(
  'a close of %s is passed over: neither its strike nor its weight comes from it',
  (noPrice) => {
    expect(callOn(100, noPrice)).toEqual(callOn(100));
    expect(callOn(noPrice, 100)).toEqual(callOn(100));
    expect(callOn(100)).toEqual({ strike: 102, weight: -0.51 });
  },
);

test('no option is written on shares that never had a price', () => {
  expect(callOn(Number.NaN, 0)).toBeUndefined();
});
