import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { type Micro, micro, toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { Adjustment } from '../market/adjustment.ts';
import type { Instrument } from '../market/instrument.ts';
import type { Fill } from '../order/order.ts';
import { equityInstrument, forexInstrument } from '#tests/support/engine/random-market.ts';
import { applyAdjustment } from './apply-adjustment.ts';
import { applyFill, openPortfolio } from './apply-fill.ts';
import type { Portfolio } from './portfolio.ts';
import { valuePortfolio } from './value.ts';

type Traded = { readonly units: number; readonly price: number; readonly commission: number };

const SHARE = equityInstrument('AAA');
const NO_MARKS = new Map<Symbol, number>();
const AT = instant(0);

/** Books all of them, and returns what each booking realised. */
function book(instrument: Instrument, trades: readonly Traded[], from = openPortfolio(toMicro(10_000))) {
  let portfolio: Portfolio = from;
  const profits = trades.map(({ units, price, commission }) => {
    const fill: Fill = {
      clientOrderId: '' as ClientOrderId,
      symbol: instrument.symbol,
      side: units > 0 ? 'buy' : 'sell',
      quantity: toQuantity(Math.abs(units)),
      price,
      commission: toMicro(commission),
      at: AT,
    };
    const applied = applyFill(portfolio, fill, instrument, NO_MARKS);
    portfolio = applied.portfolio;
    return applied.realizedPnl;
  });
  return { portfolio, profits };
}

const leg = ({ units, price, commission }: Traded) => ({
  units: toQuantity(units),
  price,
  commission: toMicro(commission),
});
const correct = (
  portfolio: Portfolio,
  {
    undoes,
    books,
    shortfall,
  }: { undoes: (Traded & { profit: Micro }) | null; books: Traded | null; shortfall?: number },
  instrument = SHARE,
) => {
  const adjustment: Adjustment = {
    ...(shortfall === undefined ? {} : { shortfall: toQuantity(shortfall) }),
    type: 'adjustment',
    symbol: instrument.symbol,
    undoes: undoes && { ...leg(undoes), profit: undoes.profit },
    books: books && leg(books),
  };
  return applyAdjustment(portfolio, adjustment, { instrument, marks: NO_MARKS, at: AT });
};

const FIRST = { units: 10, price: 100, commission: 1 };
const SECOND = { units: 10, price: 120, commission: 1 };

describe('an adjustment', () => {
  it('that takes a purchase back leaves the others at what they cost, and returns the commission', () => {
    const { portfolio, profits } = book(SHARE, [FIRST, SECOND]);
    const corrected = correct(portfolio, { undoes: { ...FIRST, profit: profits[0]! }, books: null });
    expect(corrected.portfolio).toEqual(book(SHARE, [SECOND]).portfolio);
    expect(corrected.realizedPnl).toBe(0);
  });

  it('that takes a sale back takes back its profit, and restores the cost of the shares', () => {
    const sale = { units: -10, price: 130, commission: 1 };
    const { portfolio, profits } = book(SHARE, [FIRST, sale]);
    expect(profits[1]).toBe(toMicro(300));
    const corrected = correct(portfolio, { undoes: { ...sale, profit: profits[1]! }, books: null });
    expect(corrected.portfolio).toEqual(book(SHARE, [FIRST]).portfolio);
    expect(corrected.realizedPnl).toBe(toMicro(-300));
  });

  it('that books a new price for an execution gives the same as a first report at that price', () => {
    const { portfolio, profits } = book(SHARE, [FIRST, SECOND]);
    const dearer = { ...FIRST, price: 101, commission: 2 };
    const corrected = correct(portfolio, { undoes: { ...FIRST, profit: profits[0]! }, books: dearer });
    expect(corrected.portfolio).toEqual(book(SHARE, [dearer, SECOND]).portfolio);
    expect(corrected.booking).toEqual({
      cash: toMicro(-11),
      holdings: toMicro(10),
      realized: 0,
      commission: toMicro(1),
    });
  });

  it('by itself books a quantity like a trade at its price', () => {
    const { portfolio } = book(SHARE, [FIRST]);
    const gone = { units: -4, price: 90, commission: 0 };
    const corrected = correct(portfolio, { undoes: null, books: gone });
    expect(corrected.portfolio).toEqual(book(SHARE, [FIRST, gone]).portfolio);
    expect(corrected.bookedProfit).toBe(toMicro(-40));
  });

  it('of a purchase whose shares are already sold leaves the account short of them, with no loss in the books', () => {
    const sale = { units: -20, price: 130, commission: 0 };
    const { portfolio, profits } = book(SHARE, [FIRST, SECOND, sale]);
    const corrected = correct(portfolio, { undoes: { ...FIRST, profit: profits[0]! }, books: null });
    expect(corrected.portfolio.positions.get(SHARE.symbol)?.quantity).toBe(toQuantity(-10));
    expect(worth(corrected.portfolio, SHARE, 125)).toBe(
      worth(book(SHARE, [SECOND, sale]).portfolio, SHARE, 125),
    );
  });
});

describe('an adjustment of a quantity that is only partly held', () => {
  const SOLD = { units: -4, price: 130, commission: 2 };
  const { portfolio, profits } = book(SHARE, [FIRST, SOLD]);
  const undoes = { ...FIRST, profit: profits[0]! };

  it('takes a purchase back as far as it is held: the rest keeps its cost and its part of the commission', () => {
    const corrected = correct(portfolio, { undoes, books: null, shortfall: 4 });
    expect(corrected.portfolio.positions.size).toBe(0);
    expect(corrected.portfolio).toEqual(
      book(SHARE, [{ ...FIRST, units: 4, commission: 0.4 }, SOLD]).portfolio,
    );
    expect(corrected.booking).toEqual({
      cash: toMicro(600.6),
      holdings: toMicro(-600),
      realized: 0,
      commission: toMicro(-0.6),
    });
  });

  it('books the smaller purchase in full in place of the first, next to what remains of that', () => {
    const smaller = { units: 3, price: 101, commission: 1 };
    const corrected = correct(portfolio, { undoes, books: smaller, shortfall: 1 });
    expect(corrected.portfolio.positions.size).toBe(0);
    // Bought 1 at 100 and 3 at 101, sold 4 at 130.
    expect(corrected.portfolio.cash).toBe(toMicro(10_000 - 100 - 303 + 520 - 0.1 - 1 - 2));
    expect(corrected.portfolio.realized).toBe(toMicro(520 - 403 - 3.1));
  });

  it('takes nothing back where nothing is held', () => {
    const gone = book(SHARE, [FIRST, { ...SOLD, units: -10 }]);
    const corrected = correct(gone.portfolio, { undoes, books: null, shortfall: 10 });
    expect(corrected.portfolio).toEqual(gone.portfolio);
    expect(corrected.booking).toEqual({ cash: 0, holdings: 0, realized: 0, commission: 0 });
  });

  it('books a larger sale as far as units are held', () => {
    const larger = { units: -12, price: 129, commission: 3 };
    const corrected = correct(portfolio, {
      undoes: { ...SOLD, profit: profits[1]! },
      books: larger,
      shortfall: 2,
    });
    expect(corrected.portfolio).toEqual(
      book(SHARE, [FIRST, { ...larger, units: -10, commission: 2.5 }]).portfolio,
    );
  });
});

const worth = (portfolio: Portfolio, instrument: Instrument, price: number) =>
  valuePortfolio(portfolio, new Map([[instrument.symbol, price]]), new Map([[instrument.symbol, instrument]]))
    .equity;

const trade = fc.record({
  units: fc.integer({ min: -50, max: 50 }).filter((units) => units !== 0),
  price: fc.integer({ min: 1, max: 50_000 }).map((cents) => cents / 100),
  commission: fc.integer({ min: 0, max: 300 }).map((cents) => cents / 100),
});

describe.each([
  ['shares', SHARE],
  ['a margin position', forexInstrument('EURUSD')],
])('for any history of %s', (_, instrument) => {
  it('a corrected execution gives the same value as a history with the true one in its place', () => {
    fc.assert(
      fc.property(
        fc.array(trade, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.option(trade),
        fc.integer({ min: 1, max: 50_000 }),
        (history, nth, truth, cents) => {
          const struck = nth % history.length;
          const { portfolio, profits } = book(instrument, history);
          const undoes = { ...history[struck]!, profit: profits[struck]! };
          const { booking, ...corrected } = correct(portfolio, { undoes, books: truth }, instrument);
          const { cash, holdings, realized, commission } = booking;
          expect(cash + holdings + realized + commission).toBe(0);
          expect(corrected.portfolio.cash).toBe(micro(portfolio.cash + cash));
          expect(corrected.portfolio.realized).toBe(micro(portfolio.realized - realized - commission));
          const reported = history.flatMap((one, i) => (i === struck ? (truth ?? []) : one));
          const right = book(instrument, reported).portfolio;
          expect(worth(corrected.portfolio, instrument, cents / 100)).toBe(
            worth(right, instrument, cents / 100),
          );
          const held = corrected.portfolio.positions.get(instrument.symbol);
          expect(held?.quantity ?? 0).toBe(right.positions.get(instrument.symbol)?.quantity ?? 0);
          if (held !== undefined) expect(Math.sign(held.cost)).toBe(Math.sign(held.quantity));
        },
      ),
    );
  });
});
