import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { type Micro, micro, toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { Instrument } from '../market/instrument.ts';
import type { Fill } from '../order/order.ts';
import { cryptoInstrument, equityInstrument, forexInstrument } from '#tests/support/engine/random-market.ts';
import { applyFill, openPortfolio } from './apply-fill.ts';
import type { Portfolio } from './portfolio.ts';
import { valuePortfolio, valuePosition } from './value.ts';

function fill(symbol: string, traded: number, price: number, commission = 0): Fill {
  return {
    clientOrderId: 'BW' as ClientOrderId,
    symbol: symbol as Symbol,
    side: traded > 0 ? 'buy' : 'sell',
    quantity: toQuantity(Math.abs(traded)),
    price,
    commission: toMicro(commission),
    at: instant(0),
  };
}

function after(instrument: Instrument, ...fills: readonly Fill[]): Portfolio {
  let portfolio = openPortfolio(toMicro(10_000));
  for (const one of fills) portfolio = applyFill(portfolio, one, instrument, NO_MARKS).portfolio;
  return portfolio;
}

const NO_MARKS = new Map<Symbol, number>();
const SHARE = equityInstrument('AAA');

describe('a fill', () => {
  it('moves cash into holdings and the commission out', () => {
    const { booking, portfolio } = applyFill(
      openPortfolio(toMicro(10_000)),
      fill('AAA', 10, 100, 1),
      SHARE,
      NO_MARKS,
    );
    expect(booking).toEqual({
      cash: toMicro(-1_001),
      holdings: toMicro(1_000),
      realized: 0,
      commission: toMicro(1),
    });
    expect(portfolio.cash).toBe(toMicro(8_999));
    expect(portfolio.realized).toBe(toMicro(-1));
  });

  it('realises against the average cost', () => {
    const held = after(SHARE, fill('AAA', 10, 100), fill('AAA', 10, 110));
    const { realizedPnl, portfolio } = applyFill(held, fill('AAA', -5, 120, 1), SHARE, NO_MARKS);
    expect(realizedPnl).toBe(toMicro(75));
    expect(portfolio.positions.get(SHARE.symbol)).toEqual({
      symbol: 'AAA',
      quantity: toQuantity(15),
      cost: toMicro(1_575),
    });
  });

  it('that passes through zero closes what was held and opens the rest', () => {
    const held = after(SHARE, fill('AAA', 10, 100));
    const { realizedPnl, portfolio } = applyFill(held, fill('AAA', -25, 90), SHARE, NO_MARKS);
    expect(realizedPnl).toBe(toMicro(-100));
    expect(portfolio.positions.get(SHARE.symbol)).toEqual({
      symbol: 'AAA',
      quantity: toQuantity(-15),
      cost: toMicro(-1_350),
    });
  });

  it('of a short sale brings cash, and buying it back dearer loses', () => {
    const held = after(SHARE, fill('AAA', -10, 100));
    expect(held.cash).toBe(toMicro(11_000));
    const { realizedPnl, portfolio } = applyFill(held, fill('AAA', 10, 103), SHARE, NO_MARKS);
    expect(realizedPnl).toBe(toMicro(-30));
    expect(portfolio.cash).toBe(toMicro(9_970));
    expect(portfolio.positions.size).toBe(0);
  });

  it('on margin moves only the profit, converted at its own rate', () => {
    const yen = forexInstrument('USDJPY');
    const held = after(yen, fill('USDJPY', 1_000, 150, 2));
    expect(held.cash).toBe(toMicro(9_998));
    const position = held.positions.get(yen.symbol)!;
    const value = valuePosition(position, 151, yen, NO_MARKS);
    expect(value).toEqual({
      currentValue: toMicro(1_000 / 151),
      totalCost: 0,
      unrealized: toMicro(1_000 / 151),
      notional: toMicro(1_000),
    });
    const { realizedPnl } = applyFill(held, fill('USDJPY', -1_000, 151, 2), yen, NO_MARKS);
    expect(realizedPnl).toBe(toMicro(1_000 / 151));
  });

  it('of an unknown currency is refused, not guessed', () => {
    const cross = forexInstrument('EURGBP');
    expect(() => applyFill(openPortfolio(toMicro(1)), fill('EURGBP', 1, 0.85), cross, NO_MARKS)).toThrow(
      /GBPUSD/,
    );
    const pound = new Map([['GBPUSD' as Symbol, 1.25]]);
    expect(applyFill(openPortfolio(toMicro(1)), fill('EURGBP', 1, 0.85), cross, pound).realizedPnl).toBe(0);
  });
});

describe('money', () => {
  const instruments = [
    SHARE,
    cryptoInstrument('BTCUSD'),
    forexInstrument('EURUSD'),
    forexInstrument('USDCHF'),
  ];
  const trades = fc.array(
    fc.record({
      instrument: fc.constantFrom(...instruments),
      units: fc.integer({ min: -200, max: 200 }).filter((units) => units !== 0),
      price: fc.integer({ min: 1, max: 100_000 }).map((ticks) => ticks / 1_000),
      commission: fc.integer({ min: 0, max: 5_000_000 }),
    }),
    { maxLength: 40 },
  );

  it('is never made or lost: every booking sums to zero and equity is first cash + realised + unrealised', () => {
    fc.assert(
      fc.property(trades, (list) => {
        const start = toMicro(50_000);
        let portfolio = openPortfolio(start);
        const marks = new Map<Symbol, number>();
        let booked = 0;
        for (const { instrument, units, price, commission } of list) {
          const one = { ...fill(instrument.symbol, units, price), commission: micro(commission) };
          const applied = applyFill(portfolio, one, instrument, marks);
          const { cash, holdings, realized, commission: paid } = applied.booking;
          expect(cash + holdings + realized + paid).toBe(0);
          booked += cash;
          portfolio = applied.portfolio;
          marks.set(instrument.symbol, price);
          const known = new Map(instruments.map((each) => [each.symbol, each]));
          const value = valuePortfolio(portfolio, marks, known);
          expect(value.equity).toBe(start + portfolio.realized + value.unrealized);
          expect(portfolio.cash).toBe(start + booked);
        }
        for (const { quantity, cost } of portfolio.positions.values()) {
          expect(quantity).not.toBe(0);
          expect(Math.sign(cost as Micro) * Math.sign(quantity)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
