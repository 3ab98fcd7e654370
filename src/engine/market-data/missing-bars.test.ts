import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, type Instant, instant } from '#units/instant.ts';
import { MARKET } from '../../../tests/support/engine/deployment-snapshot.ts';
import { AAA, MONDAY } from '../../../tests/support/engine/open-order.ts';
import { type CalendarExceptions, NO_EXCEPTIONS } from '../market/calendar-exceptions.ts';
import { previousSession, previousTradingDay } from '../market/calendar.ts';
import type { Bar } from '../market/instrument.ts';
import { awaitedBars, awaitedParts, hasOwnBars, missedCloses, missingBars } from './missing-bars.ts';

const SHARE = MARKET.instruments.get(AAA)!;
const LAST = previousSession(SHARE.calendar, MONDAY).date;
const AT_MONDAY = { now: MONDAY, exceptions: NO_EXCEPTIONS };

it('requests the days from the last bar to the last closed session, and none beyond an expiry', () => {
  expect(missingBars(SHARE, LAST, AT_MONDAY)).toBe(null);
  expect(missingBars(SHARE, null, AT_MONDAY)).toEqual({ from: null, to: LAST });
  const before = previousTradingDay(SHARE.calendar, LAST);
  expect(missingBars(SHARE, before, AT_MONDAY)).toMatchObject({ to: LAST });
  expect(missingBars({ ...SHARE, expiry: before }, before, AT_MONDAY)).toBe(null);
  expect([hasOwnBars(SHARE), hasOwnBars({ ...SHARE, kind: 'options' })]).toEqual([true, false]);
});

const columns = fc
  .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 10 })
  .map((closes) => closes.toSorted((a, b) => a - b));

it('lists every close of the universe after the last evaluation, each once and oldest first', () => {
  fc.assert(
    fc.property(fc.array(columns, { maxLength: 4 }), fc.nat({ max: 31 }), (closes, last) => {
      const expected = [...new Set(closes.flat())].filter((close) => close > last).toSorted((a, b) => a - b);
      expect(missedCloses(closes, last as Instant)).toEqual(expected);
      const newest = Math.max(0, ...closes.flat());
      expect(missedCloses(closes, undefined)).toEqual(newest === 0 ? [] : [newest]);
    }),
  );
});

it('waits for the parts of each instrument by its own hours', () => {
  const [share, coin] = [AAA, 'BTCUSD' as Symbol];
  const known = new Map([
    ...MARKET.instruments,
    [coin, { ...SHARE, symbol: coin, calendar: 'crypto' as const }],
  ]);
  const friday = previousSession(SHARE.calendar, MONDAY).closesAt;
  const waits = (close: Instant, toldOf: readonly (readonly [Symbol, number])[]) =>
    awaitedParts([share, coin], close, {
      interval: '1h',
      instruments: known,
      exceptions: NO_EXCEPTIONS,
      through: new Map(toldOf.map(([symbol, at]) => [symbol, instant(at)])),
    });
  const night = instant(friday + 3 * HOUR_MS);
  expect(waits(night, [])).toEqual([share, coin]);
  expect(
    waits(night, [
      [share, friday],
      [coin, night],
    ]),
  ).toEqual([]);
  expect(
    waits(night, [
      [share, friday],
      [coin, night - HOUR_MS],
    ]),
  ).toEqual([coin]);
  expect(
    waits(night, [
      [share, friday - HOUR_MS],
      [coin, night],
    ]),
  ).toEqual([share]);
});

it('waits for an overdue bar, but not for an instrument that has been silent for a week', () => {
  const close = previousSession(SHARE.calendar, MONDAY).closesAt;
  const waits = (closedAt: Instant | null, exceptions: CalendarExceptions = NO_EXCEPTIONS) =>
    awaitedBars([AAA, 'ZZZ' as Symbol], close, {
      instruments: MARKET.instruments,
      exceptions,
      barCloses: {
        newestBar: (symbol) => (symbol === AAA && closedAt !== null ? ({ closedAt } as Bar) : null),
      },
    });
  const atClose = previousSession(SHARE.calendar, close).closesAt;
  expect(waits(atClose)).toEqual([]);
  expect(waits(instant(atClose - DAY_MS))).toEqual([AAA]);
  expect(waits(instant(close - 7 * DAY_MS))).toEqual([]);
  expect(waits(null)).toEqual([]);
  // The vendor says that this session was not held.
  const unheld = previousSession(SHARE.calendar, close);
  const exceptions = new Map([[SHARE.calendar, new Map([[unheld.date, { ours: unheld, theirs: null }]])]]);
  expect(waits(previousSession(SHARE.calendar, unheld.opensAt).closesAt)).toEqual([AAA]);
  expect(waits(previousSession(SHARE.calendar, unheld.opensAt).closesAt, exceptions)).toEqual([]);
});
