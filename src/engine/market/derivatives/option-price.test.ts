import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import { describedInstrument } from './derived-instrument.ts';
import { monthlyExpiries, optionContract, parseOption } from '../option-contract.ts';
import { blackScholes, impliedVolatility, optionPrice } from './option-price.ts';

const day = (text: string) => text as IsoDate;
const option = (right: 'call' | 'put', strike: number) =>
  optionContract({
    underlying: 'BWMKT' as Symbol,
    right,
    strike,
    expiry: day('2026-03-20'),
    settlement: 'shares',
  });

describe('an option', () => {
  it('is read back from its symbol', () => {
    expect(option('call', 250).symbol).toBe('BWMKT.260320C250');
    expect(parseOption('BWMKT.260320P245' as Symbol)).toEqual(option('put', 245));
    expect(parseOption('BWSX.2026H' as Symbol)).toBeNull();
    expect(monthlyExpiries(day('2026-05-16'), 3)).toEqual(['2026-06-18', '2026-07-17', '2026-08-21']);
  });

  // J. Hull, Options, Futures, and Other Derivatives, the worked example of the Black-Scholes-Merton chapter.
  it('is priced as in the textbook', () => {
    const terms = { spot: 42, volatility: 0.2, years: 0.5, rate: 0.1 };
    expect(blackScholes({ right: 'call', strike: 40 }, terms)).toBeCloseTo(4.76, 2);
    expect(blackScholes({ right: 'put', strike: 40 }, terms)).toBeCloseTo(0.81, 2);
  });

  it('keeps put-call parity: a call less a put is the forward', () => {
    for (const strike of [80, 100, 130]) {
      const terms = { spot: 100, volatility: 0.25, years: 0.75, rate: 0.03 };
      const [call, put] = (['call', 'put'] as const).map((right) => blackScholes({ right, strike }, terms));
      expect(call! - put!).toBeCloseTo(100 - strike * Math.exp(-0.03 * 0.75), 10);
    }
  });

  it('is dearer below the spot than above it, and in a wild market', () => {
    const at = (strike: number, level: number) =>
      impliedVolatility({ strike }, { spot: 100, level, years: 0.1 });
    expect(at(95, 0.15)).toBeGreaterThan(at(100, 0.15));
    expect(at(105, 0.15)).toBeLessThan(at(100, 0.15));
    expect(at(100, 0.4)).toBeGreaterThan(at(100, 0.15) + 0.15);
  });

  it('ends at what exercise gives', () => {
    const end = { level: 0.2, date: day('2026-03-20') };
    expect(optionPrice(option('call', 250), { ...end, spot: 256.4 })).toBe(6.4);
    expect(optionPrice(option('put', 250), { ...end, spot: 256.4 })).toBe(0);
  });
});

describe('a contract that is listed later', () => {
  const fund = equityInstrument('BWMKT');
  const root = { ...equityInstrument('BWSX'), kind: 'futures', settlement: 'margin', multiplier: 5 } as const;
  const known = instrumentMap(fund, root);

  it('is known by its symbol', () => {
    expect(describedInstrument('BWMKT.270115C400' as Symbol, known)).toMatchObject({
      kind: 'options',
      multiplier: 100,
      expiry: '2027-01-15',
    });
    expect(describedInstrument('BWSX.2027M' as Symbol, known)).toMatchObject({
      kind: 'futures',
      multiplier: 5,
      expiry: '2027-06-17',
    });
    expect(describedInstrument('NONE.270115C400' as Symbol, known)).toBeNull();
    expect(describedInstrument('BWMKT.2027M' as Symbol, known)).toBeNull();
  });
});
