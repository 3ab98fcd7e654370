import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { optionInstrument, parseOption } from '../market/option-contract.ts';
import type { Position } from '../portfolio/portfolio.ts';
import { deployment } from '#tests/support/engine/deployment.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { approveStop, canPlaceStop, closesTooMuch, isInStep, protectiveStop } from './protective-stop.ts';
import { lossPercent, passesStopLoss } from './stop-loss.ts';

const AAA = equityInstrument('AAA');
const limitsOf = (stopLossPercentage: number) => ({
  stopLossPercentage,
  maxAllocationPercent: 0,
  freezeOnDrawdownPercent: 0,
});
const position = (units: number, cost: number, symbol = 'AAA'): Position => ({
  symbol: symbol as Symbol,
  quantity: toQuantity(units),
  cost: toMicro(cost),
});
const holding = (...held: Position[]) => ({ positions: new Map(held.map((one) => [one.symbol, one])) });
const stopOf = (held: Position, percent: number, others: Position[] = []) =>
  protectiveStop(held, AAA, { limits: limitsOf(percent), portfolio: holding(held, ...others) });

describe('the protective stop of a position', () => {
  it('sells the whole of a long one a percent below its stop loss, and buys back a short one a percent above', () => {
    expect(stopOf(position(10, 1_000), 10)).toMatchObject({
      side: 'sell',
      quantity: toQuantity(10),
      price: 89.1,
    });
    expect(stopOf(position(-10, -1_000), 10)).toMatchObject({
      side: 'buy',
      quantity: toQuantity(10),
      price: 111.1,
    });
  });

  it('is never triggered before the stop loss is reached, for any price and limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.double({ min: 1, max: 2_000, noNaN: true }),
        fc.integer({ min: 1, max: 90 }),
        fc.boolean(),
        (units, price, percent, isLong) => {
          const signed = isLong ? units : -units;
          const held = position(signed, signed * price);
          const stop = stopOf(held, percent);
          if (stop === null) return;
          expect(passesStopLoss(limitsOf(percent), lossPercent(held, stop.price, AAA))).toBe(true);
        },
      ),
    );
  });

  it('is none without a stop loss, for options, and for shares that cover options', () => {
    const call = optionInstrument(parseOption('AAA.260220C105' as Symbol)!);
    const written = position(-1, -150, call.symbol);
    expect(stopOf(position(10, 1_000), 0)).toBeNull();
    expect(stopOf(position(100, 10_000), 10, [written])).toBeNull();
    const terms = { limits: limitsOf(10), portfolio: holding(written) };
    expect(protectiveStop(written, call, terms)).toBeNull();
  });

  it('is in step while its size is the position and its price within half a percent', () => {
    const stop = stopOf(position(10, 1_000), 10)!;
    const working = { side: 'sell', remaining: stop.quantity, price: 89.1 } as const;
    expect(isInStep(working, stop)).toBe(true);
    expect(isInStep({ ...working, price: 89.5 }, stop)).toBe(true);
    expect(isInStep({ ...working, price: 89.6 }, stop)).toBe(false);
    expect(isInStep({ ...working, remaining: toQuantity(9) }, stop)).toBe(false);
    expect(closesTooMuch({ ...working, remaining: toQuantity(9) }, stop)).toBe(false);
    expect(closesTooMuch({ ...working, remaining: toQuantity(11) }, stop)).toBe(true);
    expect(closesTooMuch({ ...working, side: 'buy' }, stop)).toBe(true);
  });

  it('is not placed where it would go off at once', () => {
    const stop = stopOf(position(10, 1_000), 10)!;
    expect(canPlaceStop(stop, 100)).toBe(true);
    expect(canPlaceStop(stop, 89.9)).toBe(false);
    expect(canPlaceStop(stop, 80)).toBe(false);
  });

  it('is approved for no more than is held, and not while trading is not allowed', () => {
    const held = position(10, 1_000);
    const stop = stopOf(held, 10)!;
    const portfolio = { cash: toMicro(0), realized: toMicro(0), ...holding(held) };
    const question = { instrument: AAA, mark: 100, attempt: 1, at: instant(0) };
    expect(approveStop(stop, { ...question, state: deployment({ portfolio }) })).toMatchObject({
      ok: true,
      order: { purpose: 'protective', limitPrice: 89.1, cause: 'protective-stop:10' },
    });
    const paused = deployment({ portfolio, permission: 'none' });
    expect(approveStop(stop, { ...question, state: paused }).ok).toBe(false);
    const more = { ...stop, quantity: toQuantity(11) };
    expect(approveStop(more, { ...question, state: deployment({ portfolio }) }).ok).toBe(false);
  });
});
