import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import { HOUR_MS, instant, type IsoDate } from '#units/instant.ts';
import { previousTradingDay, session } from '../market/calendar.ts';
import { NO_EXCEPTIONS } from '../market/calendar-exceptions.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Bar } from '../market/instrument.ts';
import { adjustMarks, type QuotedMarket } from './adjust-marks.ts';

const SHARE = equityInstrument('AAA');
const EX_DATE = '2026-03-04' as IsoDate;
const LAST = previousTradingDay('us-equity', EX_DATE);
const BEFORE = previousTradingDay('us-equity', LAST);
const close = session('us-equity', LAST)!.closesAt;
const open = session('us-equity', EX_DATE)!.opensAt;
const bar = (date: IsoDate) => ({ date, close: 100 }) as Bar;

function marketAt(now: number, action: Omit<CorporateAction, 'exDate'>, last = 100): QuotedMarket {
  return {
    now: instant(now),
    instruments: instrumentMap(SHARE),
    marks: new Map([[SHARE.symbol, last]]),
    quotedAt: new Map(),
    unpriced: [],
    exceptions: NO_EXCEPTIONS,
    actions: new Map([[SHARE.symbol, [{ ...action, exDate: EX_DATE }]]]),
  };
}
const processed = (date: IsoDate) => new Map([['us-equity', date] as const]);
const anyPrice = fc.integer({ min: 1, max: 100_000 });

test('during the sessions the quote is the price, once the holding includes the action', () => {
  fc.assert(
    fc.property(anyPrice, fc.boolean(), (last, isBefore) => {
      const at = isBefore ? close - HOUR_MS : open + HOUR_MS;
      const market = marketAt(at, { kind: 'split', amount: 4 }, last);
      const known = { processed: processed(isBefore ? BEFORE : LAST), newestBar: () => bar(LAST) };
      expect(adjustMarks(market, known)).toEqual({ marks: market.marks, unpriced: [] });
    }),
  );
});

test('between them the price is the close less the action, regardless of the feed', () => {
  fc.assert(
    fc.property(anyPrice, (last) => {
      const known = { processed: processed(LAST), newestBar: () => bar(LAST) };
      const split = adjustMarks(marketAt(close + HOUR_MS, { kind: 'split', amount: 4 }, last), known);
      expect(split.marks.get(SHARE.symbol)).toBe(25);
      const paid = adjustMarks(marketAt(close + HOUR_MS, { kind: 'dividend', amount: 4 }, last), known);
      expect(paid.marks.get(SHARE.symbol)).toBe(96);
    }),
  );
});

test('there is no price until the holding includes the action, nor without the close before it', () => {
  for (const at of [close + HOUR_MS, open + HOUR_MS]) {
    const market = marketAt(at, { kind: 'split', amount: 4 });
    const { marks, unpriced } = adjustMarks(market, {
      processed: processed(BEFORE),
      newestBar: () => bar(LAST),
    });
    expect([marks.size, unpriced]).toEqual([0, [SHARE.symbol]]);
  }
  const market = marketAt(close + HOUR_MS, { kind: 'split', amount: 4 });
  const known = { processed: processed(LAST), newestBar: () => bar(BEFORE) };
  expect(adjustMarks(market, known).unpriced).toEqual([SHARE.symbol]);
});

test('a quote that a vendor made before the close is not the price of a holding that includes the action', () => {
  const quotedAt = new Map([[SHARE.symbol, instant(close - 1_000)]]);
  const market = { ...marketAt(close + HOUR_MS, { kind: 'split', amount: 4 }), quotedAt };
  const known = { processed: processed(LAST), newestBar: () => bar(LAST) };
  expect(adjustMarks(market, known).marks.get(SHARE.symbol)).toBe(25);
  expect(adjustMarks(market, { ...known, newestBar: () => bar(BEFORE) }).unpriced).toEqual([SHARE.symbol]);
  expect(adjustMarks(market, { ...known, processed: processed(BEFORE) }).marks).toEqual(market.marks);
});

test('so it is on a day that the vendor says is not held: the action after it counts from the close before', () => {
  const unheld = session('us-equity', LAST)!;
  const exceptions = new Map([['us-equity', new Map([[LAST, { ours: unheld, theirs: null }]])] as const]);
  const before = session('us-equity', BEFORE)!.closesAt;
  const market = { ...marketAt(before + HOUR_MS, { kind: 'split', amount: 4 }), exceptions };
  const known = { processed: processed(LAST), newestBar: () => bar(BEFORE) };
  expect(adjustMarks(market, known).marks.get(SHARE.symbol)).toBe(25);
});
