import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { micro, toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import type { Adjustment } from '../market/adjustment.ts';
import { type RoundTrip, roundTrips, type TripBooking } from './round-trips.ts';

const SPY = 'SPY' as Symbol;
const day = (number: number): Instant => instant(Date.UTC(2026, 0, number));

function traded(place: number, units: number, price: number, commission = 1): TripBooking {
  const execution = {
    symbol: SPY,
    side: units > 0 ? 'buy' : 'sell',
    quantity: toQuantity(Math.abs(units)),
    price,
    commission: toMicro(commission),
    at: day(place),
  } as const;
  return { type: 'execution', place, id: `DU1:${place}`, execution, by: 'order' };
}

const tripsOf = (...bookings: TripBooking[]) => roundTrips(SPY, bookings, equityInstrument('SPY')).map(shown);
const shown = ({ side, closedAt, quantity, entryPrice, exitPrice, pnl, closedBy }: RoundTrip) => ({
  side,
  closed: closedAt === null ? null : new Date(closedAt).getUTCDate(),
  units: quantity / 1e8,
  entry: entryPrice,
  exit: exitPrice,
  pnl: pnl / 1e6,
  by: closedBy,
});

function adjusted(place: number, undone: number, facts: Partial<Adjustment>): TripBooking {
  const adjustment = { type: 'adjustment', symbol: SPY, undoes: null, books: null, ...facts } as const;
  return {
    type: 'adjustment',
    place,
    adjustment,
    undoes: `DU1:${undone}`,
    books: `DU1:${place}`,
    at: day(place),
  };
}
const trade = (units: number, price: number, commission = 1) => ({
  units: toQuantity(units),
  price,
  commission: toMicro(commission),
});

test('a sale that made less than its commissions is a loss, and counts once the position is zero', () => {
  expect(tripsOf(traded(1, 10, 100), traded(2, -4, 100.2), traded(3, -6, 100.2))).toEqual([
    { side: 'long', closed: 3, units: 10, entry: 100, exit: 100.2, pnl: -1, by: 'order' },
  ]);
  expect(tripsOf(traded(1, 10, 100), traded(2, -4, 200))).toEqual([
    { side: 'long', closed: null, units: 10, entry: 100, exit: 200, pnl: 398, by: null },
  ]);
});

test('an execution that passes through zero ends one and begins the next, each with its part of the commission', () => {
  const trips = roundTrips(SPY, [traded(1, 10, 100), traded(2, -20, 110, 4)], equityInstrument('SPY'));
  expect(trips.map(shown)).toMatchObject([
    { side: 'long', pnl: 97, units: 10 },
    { side: 'short', pnl: -2, units: 10, closed: null },
  ]);
  expect(trips.map(({ isReversal }) => isReversal)).toEqual([false, true]);
});

test('a dividend counts where it was earned, also when its figure comes after the end', () => {
  const paid = (place: number, dollars: number): TripBooking => ({
    type: 'income',
    place,
    amount: toMicro(dollars),
  });
  expect(tripsOf(traded(1, 10, 100), paid(2, 5), traded(3, -10, 100), paid(3, -2))).toMatchObject([
    { pnl: 1 },
  ]);
});

test('a split changes units and prices, but for what was traded after its session', () => {
  const split = (held: number, entitled: number): TripBooking => ({
    type: 'split',
    place: 3,
    ratio: 2,
    held: toQuantity(held),
    entitled: toQuantity(entitled),
  });
  expect(tripsOf(traded(1, 10, 100), split(10, 10), traded(4, -20, 60))).toMatchObject([
    { units: 20, entry: 50, exit: 60, pnl: 198 },
  ]);
  expect(tripsOf(traded(1, 10, 100), traded(2, 4, 50), split(14, 10), traded(4, -24, 60))).toMatchObject([
    { units: 24, entry: 50, pnl: 237 },
  ]);
});

test('a contract that expires closes what is held, without a commission', () => {
  expect(tripsOf(traded(1, -2, 3), { type: 'expiry', place: 2, price: 0, at: day(9) })).toEqual([
    { side: 'short', closed: 9, units: 2, entry: 3, exit: 0, pnl: 5, by: 'expiry' },
  ]);
});

test('an execution that was taken back never ended a round trip', () => {
  const undoes = { ...trade(-10, 120), profit: toMicro(200) };
  expect(tripsOf(traded(1, 10, 100), traded(2, -10, 120), adjusted(3, 2, { undoes }))).toMatchObject([
    { closed: null, pnl: -1, exit: null },
  ]);
  // What was bought since belongs to the same round trip.
  expect(
    tripsOf(
      traded(1, 10, 100),
      traded(2, -10, 120),
      traded(3, 5, 90),
      adjusted(4, 2, { undoes }),
      traded(5, -15, 100),
    ),
  ).toMatchObject([{ closed: 5, units: 15, pnl: 47 }]);
});

test('an execution of another price counts where it was first booked, and may be replaced again', () => {
  const first = { undoes: { ...trade(10, 100), profit: micro(0) }, books: trade(10, 101) };
  const second = { undoes: { ...trade(10, 101), profit: micro(0) }, books: trade(10, 99) };
  expect(
    tripsOf(traded(1, 10, 100), traded(2, -10, 110), adjusted(3, 1, first), adjusted(4, 3, second)),
  ).toMatchObject([{ closed: 2, entry: 99, pnl: 108 }]);
});

test('one from before a split is replaced in the units of its day', () => {
  const split = {
    type: 'split',
    place: 2,
    ratio: 2,
    held: toQuantity(40),
    entitled: toQuantity(40),
  } as const;
  const smaller = { undoes: { ...trade(80, 50), profit: micro(0) }, books: trade(60, 50) };
  expect(tripsOf(traded(1, 40, 100), split, adjusted(3, 1, smaller), traded(4, -60, 55))).toMatchObject([
    { units: 60, entry: 50, pnl: 298 },
  ]);
});

test('what falls short of a reversed purchase stays as it was bought', () => {
  const undoes = { ...trade(10, 100, 2), profit: micro(0) };
  expect(
    tripsOf(traded(1, 10, 100, 2), traded(2, -4, 110), adjusted(3, 1, { undoes, shortfall: toQuantity(4) })),
  ).toMatchObject([{ closed: 2, units: 4, pnl: 38.2 }]);
});
