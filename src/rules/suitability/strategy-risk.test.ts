import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSuitable, suitabilityNote } from './is-suitable.ts';
import { MAX_DRAWDOWN_TOLERANCE_PERCENT, clientRiskScore, riskClass } from './risk-class.ts';
import { riskLevel, strategyRiskScore } from './strategy-risk.ts';

const calm = { volatilityPercent: 4, maxDrawdownPercent: 3, leverage: 1 };

describe('strategy risk', () => {
  it('scores a calm, unlevered strategy 1', () => {
    expect(strategyRiskScore(calm)).toBe(1);
  });

  it.each([
    [{ ...calm, volatilityPercent: 18 }, 3],
    [{ ...calm, volatilityPercent: 18.01 }, 4],
    [{ ...calm, maxDrawdownPercent: 35.1 }, 5],
    [{ ...calm, leverage: 1.2 }, 3],
    [{ ...calm, leverage: 4 }, 5],
  ])('lets the worst measure decide: %o scores %i', (measured, score) => {
    expect(strategyRiskScore(measured)).toBe(score);
  });

  it('never falls when one measure grows', () => {
    const measure = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        measure,
        measure,
        measure,
        measure,
        (volatilityPercent, maxDrawdownPercent, leverage, more) => {
          const before = strategyRiskScore({ volatilityPercent, maxDrawdownPercent, leverage });
          const after = strategyRiskScore({
            volatilityPercent: volatilityPercent + more,
            maxDrawdownPercent,
            leverage,
          });
          expect(after).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });

  it('refuses a measure that is missing', () => {
    expect(() => strategyRiskScore({ ...calm, volatilityPercent: Number.NaN })).toThrow(RangeError);
  });

  it('names scores 1 and 2 low, 3 medium, 4 and 5 high', () => {
    expect(([1, 2, 3, 4, 5] as const).map(riskLevel)).toEqual(['low', 'low', 'medium', 'high', 'high']);
  });
});

describe('the risk rule', () => {
  it('allows a strategy at or below the client score, and no other', () => {
    expect(isSuitable(3, 3)).toBe(true);
    expect(isSuitable(1, 5)).toBe(true);
    expect(isSuitable(4, 3)).toBe(false);
    expect(suitabilityNote(4, 3)).toContain('above your own score of 3');
  });

  it('offers a class only strategies whose drawdown stayed within its tolerance, below the top score', () => {
    for (let percent = 0; percent <= 85; percent++) {
      const tolerance = MAX_DRAWDOWN_TOLERANCE_PERCENT[riskClass(percent)];
      const score = strategyRiskScore({ ...calm, maxDrawdownPercent: tolerance + 0.01 });
      expect(isSuitable(score, clientRiskScore(percent))).toBe(false);
    }
  });
});
