import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import type { Instrument } from '../market/instrument.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { step } from '../step.ts';
import { deployment, filled, marksOf, target, TERMS } from '#tests/support/engine/deployment.ts';
import { equityInstrument, forexInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import { closedForMargin, marginOf } from './margin.ts';

const future: Instrument = {
  ...equityInstrument('BWSX.2026H'),
  kind: 'futures',
  settlement: 'margin',
  multiplier: 5,
};
const position = (symbol: string, units: number, price: number, multiplier = 1) => ({
  symbol: symbol as Symbol,
  quantity: toQuantity(units),
  cost: toMicro(units * price * multiplier),
});
const holding = (cash: number, ...positions: ReturnType<typeof position>[]): Portfolio => ({
  cash: toMicro(cash),
  realized: toMicro(0),
  positions: new Map(positions.map((one) => [one.symbol, one])),
});

describe('margin of a position', () => {
  it('is a number for each instrument: initial to enter, maintenance to keep', () => {
    const ofFuture = marginOf(position('BWSX.2026H', 2, 5_000, 5), 5_500, future, new Map());
    expect(ofFuture).toEqual({ initial: toMicro(5_500), maintenance: toMicro(5_000) });
    const pair = forexInstrument('USDJPY');
    const ofPair = marginOf(position('USDJPY', -10_000, 150), 150, pair, new Map());
    expect(ofPair).toEqual({ initial: toMicro(500), maintenance: toMicro(250) });
    const ofShort = marginOf(position('AAA', -10, 100), 120, equityInstrument('AAA'), new Map());
    expect(ofShort).toEqual({ initial: toMicro(600), maintenance: toMicro(360) });
  });
});

describe('a breach of maintenance', () => {
  const instruments = instrumentMap(future, ...['AAA', 'BBB', 'CCC'].map(equityInstrument));
  const marks = marksOf({ AAA: 100, BBB: 100, CCC: 100, 'BWSX.2026H': 5_000 });
  const held = holding(
    0,
    position('AAA', -100, 100),
    position('BWSX.2026H', 4, 5_000, 5),
    position('CCC', -30, 100),
    position('BBB', -30, 100),
  );

  it('closes the position with the highest requirement first, then by symbol, until equity covers the rest', () => {
    // Requirements: future 9,090.91, AAA 3,000, BBB and CCC 900 each.
    const closed = (equity: number) => closedForMargin(held, toMicro(equity), { marks, instruments });
    expect(closed(14_000)).toEqual([]);
    expect(closed(13_000)).toEqual(['BWSX.2026H']);
    expect(closed(4_799)).toEqual(['BWSX.2026H', 'AAA']);
    expect(closed(1_000)).toEqual(['BWSX.2026H', 'AAA', 'BBB']);
    expect(closed(-1)).toEqual(['BWSX.2026H', 'AAA', 'BBB', 'CCC']);
  });

  it('is impossible for who has paid for everything', () => {
    const paid = holding(0, position('AAA', 100, 300));
    expect(closedForMargin(paid, toMicro(1), { marks, instruments })).toEqual([]);
  });
});

describe('a deployment that is short', () => {
  const opened = (() => {
    const state = deployment({ allowsShort: true });
    const followed = step(state, target({ AAA: -0.9 }, { AAA: 100 }), TERMS);
    return step(followed.state, filled(followed.orders[0]!, 100), TERMS).state;
  })();
  const markAt = (price: number) =>
    step(opened, { type: 'mark', at: instant(5_000), marks: marksOf({ AAA: price }) }, TERMS);

  it('is refused what would lift its exposure above its equity', () => {
    const state = deployment({ allowsShort: true });
    const { orders } = step(state, target({ AAA: -1, BBB: -1 }, { AAA: 100, BBB: 100 }), TERMS);
    const worth = orders.map(({ quantity, limitPrice }) => fromQuantity(quantity) * limitPrice);
    expect(worth.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10_000);
    const one = step(opened, target({ AAA: -1.135, BTCUSD: -0.5 }, { AAA: 112, BTCUSD: 100 }), TERMS);
    expect(one.refusals).toContainEqual(expect.objectContaining({ symbol: 'BTCUSD', code: 'no_cash' }));
  });

  it('keeps its position while equity covers maintenance, and loses it once it does not', () => {
    expect(markAt(150).orders).toEqual([]);
    const { orders, notices, state } = markAt(170);
    expect(orders).toMatchObject([
      { symbol: 'AAA', side: 'buy', purpose: 'margin_call', cause: 'margin-call' },
    ]);
    expect(orders[0]!.quantity).toBe(-opened.portfolio.positions.get('AAA' as Symbol)!.quantity);
    expect(notices).toEqual([{ type: 'margin_call', symbol: 'AAA' }]);
    const again = step(state, { type: 'mark', at: instant(6_000), marks: marksOf({ AAA: 171 }) }, TERMS);
    expect(again.orders).toEqual([]);
    const closed = step(state, filled(orders[0]!, 170), TERMS);
    expect(closed.orders).toEqual([]);
    expect(closed.state.portfolio.positions.size).toBe(0);
  });

  it('is not entered again before the strategy has let it go', () => {
    const { orders, state } = markAt(170);
    const flat = step(state, filled(orders[0]!, 170), TERMS).state;
    const next = target({ AAA: -0.9 }, { AAA: 170 }, { id: 'target-2' });
    expect(step(flat, next, TERMS).refusals).toMatchObject([{ symbol: 'AAA', code: 'stopped_out' }]);
    const out = step(flat, target({}, { AAA: 170 }, { id: 'target-3' }), TERMS).state;
    const back = target({ AAA: -0.9 }, { AAA: 170 }, { id: 'target-4' });
    expect(step(out, back, TERMS).orders).toHaveLength(1);
  });
});
