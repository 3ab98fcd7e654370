// The arithmetic of the auditor against that of the engine, which it shares no code with: every kind of booking, in any order.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyEvent } from '#audit/apply-event.ts';
import type { PositionEvent as Row } from '#audit/rows.ts';
import { type State, trade, wholeUnits } from '#audit/trade.ts';
import type { Adjustment } from '#engine/market/adjustment.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { CoinFee, PositionEvent } from '#engine/market/position-event.ts';
import { applyFill, openPortfolio } from '#engine/portfolio/apply-fill.ts';
import { applyPositionEvent } from '#engine/portfolio/apply-position-event.ts';
import type { Portfolio } from '#engine/portfolio/portfolio.ts';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { fromMicro, toMicro } from '#units/money.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';

const of = (symbol: string, change: Partial<Instrument> = {}) =>
  ({
    symbol: symbol as Symbol,
    currency: 'USD',
    unitCurrency: null,
    multiplier: 1,
    settlement: 'cash',
    ...change,
  }) as Instrument;
const LIST = [
  of('AAA'),
  of('COIN'),
  of('CALL', { multiplier: 100 }),
  of('USDCHF', { settlement: 'margin', currency: 'CHF', unitCurrency: 'USD' as never }),
  of('ES', { settlement: 'margin', multiplier: 50 }),
];
const INSTRUMENTS = new Map(LIST.map((one) => [one.symbol, one]));
const AT = instant(0);

type Booking =
  | { readonly fill: { symbol: string; units: number; price: number; commission: number; ratio: number } }
  | { readonly event: PositionEvent | CoinFee | Adjustment; readonly entitled: number };

const units = fc.integer({ min: 1, max: 40 });
const price = fc.integer({ min: 50, max: 20_000 }).map((cents) => cents / 100);
const signed = fc.tuple(units, fc.boolean()).map(([count, isSale]) => (isSale ? -count : count));
const symbol = fc.constantFrom(...LIST.map((one) => one.symbol as string));
const commission = fc.integer({ min: -50, max: 500 }).map((cents) => cents / 100);
const traded = fc
  .record({ units: signed, price, commission })
  .map((one) => ({ units: toQuantity(one.units), price: one.price, commission: toMicro(one.commission) }));

const booking: fc.Arbitrary<Booking> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      fill: fc
        .record({ symbol, units: signed, price, commission, ratio: fc.constantFrom(1, 1, 1, 2, 0.5) })
        // Currencies do not split.
        .map((one) => (one.symbol === 'USDCHF' ? { ...one, ratio: 1 } : one)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      event: fc.record({
        type: fc.constant('split' as const),
        symbol: symbol as fc.Arbitrary<Symbol>,
        ratio: fc.constantFrom(2, 0.5, 3),
        markAfter: fc.constant(1),
      }),
      entitled: units,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      event: fc.record({
        type: fc.constantFrom('dividend' as const, 'swap' as const),
        symbol: symbol as fc.Arbitrary<Symbol>,
        perUnit: fc.integer({ min: -300, max: 300 }).map((cents) => cents / 100),
        markAfter: fc.constant(1),
      }),
      entitled: signed,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      event: fc.record({
        type: fc.constant('expiry' as const),
        symbol: symbol as fc.Arbitrary<Symbol>,
        price,
      }),
      entitled: units,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      event: fc.record({
        type: fc.constant('coin_fee' as const),
        symbol: fc.constant('COIN' as Symbol),
        units: signed.map((count) => toQuantity(count / 100)),
        price,
        fill: fc.constant('a'),
      }),
      entitled: units,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ count: signed, strike: price, shares: fc.boolean() })
      .map(({ count, strike, shares }) => ({
        entitled: Math.abs(count),
        event: {
          type: 'exercise' as const,
          symbol: 'CALL' as Symbol,
          contracts: toQuantity(count),
          underlying: 'AAA' as Symbol,
          shares: toQuantity(count * (shares ? 100 : -100)),
          strike,
          spot: strike,
        },
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        symbol,
        undoes: fc.option(fc.tuple(traded, fc.integer({ min: -100, max: 100 }))),
        books: fc.option(traded),
      })
      .map(({ symbol: named, undoes, books }) => ({
        entitled: 0,
        event: {
          type: 'adjustment' as const,
          symbol: named as Symbol,
          undoes: undoes && { ...undoes[0], profit: toMicro(undoes[1]) },
          books,
        },
      })),
  },
);

function byEngine(portfolio: Portfolio, one: Booking): Portfolio {
  if ('event' in one) {
    const entitled = toQuantity(one.entitled);
    const terms = { instruments: INSTRUMENTS, marks: new Map(), at: AT, entitled };
    return applyPositionEvent(portfolio, one.event, terms)?.portfolio ?? portfolio;
  }
  const { symbol: named, units: count, price: at, commission: paid, ratio } = one.fill;
  const fill = {
    clientOrderId: '' as ClientOrderId,
    symbol: named as Symbol,
    side: count > 0 ? 'buy' : 'sell',
    quantity: toQuantity(Math.abs(count)),
    price: at,
    commission: toMicro(paid),
    at: AT,
    splitRatio: ratio,
  } as const;
  return applyFill(portfolio, fill, INSTRUMENTS.get(named as Symbol)!, new Map()).portfolio;
}

function byAuditor(state: State, one: Booking): State {
  if ('event' in one) {
    const { type: kind, symbol: named } = one.event;
    // As it comes out of the database.
    const event = JSON.parse(JSON.stringify(one.event)) as Row['event'];
    const row: Row = {
      id: 1,
      cause: '',
      symbol: named,
      kind,
      date: '',
      event,
      entitled: one.entitled,
      realized: 0,
      afterEntry: 0,
      at: '',
      execution: '',
      undoes: null,
      books: null,
    };
    return applyEvent(state, row, INSTRUMENTS as never).state;
  }
  const { symbol: named, units: count, price: at, commission: paid, ratio } = one.fill;
  const instrument = INSTRUMENTS.get(named as Symbol)!;
  return trade(state, instrument as never, {
    units: wholeUnits(count * ratio),
    price: at / ratio,
    commission: paid,
  }).state;
}

/** A split leaves nobody flat, and on no other side than before. */
function isImpossible({ positions }: Portfolio, one: Booking): boolean {
  if (!('event' in one) || one.event.type !== 'split') return false;
  const held = positions.get(one.event.symbol)?.quantity ?? 0;
  return held !== 0 && (held + toQuantity(one.entitled) * (one.event.ratio - 1)) * held <= 0;
}

function bothAgree(bookings: readonly Booking[]): void {
  let portfolio = openPortfolio(toMicro(100_000));
  let state: State = { cash: 100_000, realized: 0, held: new Map() };
  for (const one of bookings) {
    if (isImpossible(portfolio, one)) continue;
    portfolio = byEngine(portfolio, one);
    state = byAuditor(state, one);
    expect(Math.abs(state.cash - fromMicro(portfolio.cash))).toBeLessThan(0.005);
    expect(Math.abs(state.realized - fromMicro(portfolio.realized))).toBeLessThan(0.005);
    const held = [...portfolio.positions.values()];
    expect([...state.held.keys()].toSorted()).toEqual(held.map((position) => position.symbol).toSorted());
    for (const position of held) {
      const { units: count, cost } = state.held.get(position.symbol)!;
      expect(count).toBeCloseTo(fromQuantity(position.quantity), 7);
      expect(Math.abs(cost - fromMicro(position.cost))).toBeLessThan(0.005);
    }
  }
}

it('comes to the cash, result and positions of the engine, to the cent, after every booking', () => {
  fc.assert(fc.property(fc.array(booking, { minLength: 1, maxLength: 25 }), bothAgree), { numRuns: 2_000 });
});

it('agrees where an execution that is undone would leave a position at a cost of nothing', () => {
  // 19 dollars at 33.65 francs are its whole price, but for the last bit of a double.
  const undoes = { units: toQuantity(-19), price: 33.65, commission: toMicro(0), profit: toMicro(19) };
  bothAgree([
    { event: { type: 'adjustment', symbol: 'USDCHF' as Symbol, undoes, books: null }, entitled: 0 },
  ]);
});
