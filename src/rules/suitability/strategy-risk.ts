// A strategy's risk score from 1 to 5 by what was measured, and the risk level that its badge shows (specification,
// sections 1 and 3). The worst of three measures counts, so that no low figure hides a high one.
import type { RiskScore } from './risk-class.ts';

export const RISK_LEVELS = ['low', 'medium', 'high'] as const;
type RiskLevel = (typeof RISK_LEVELS)[number];

export type MeasuredRisk = {
  /** Annualised, in percent. */
  readonly volatilityPercent: number;
  /** The worst fall from a peak, in percent, positive. */
  readonly maxDrawdownPercent: number;
  /** The greatest gross exposure as a multiple of equity: 1 is fully invested without borrowing. */
  readonly leverage: number;
};

/** The strategy's score; throws RangeError when a measure is missing, because an unmeasured strategy is not safe. */
export function strategyRiskScore(measured: MeasuredRisk): RiskScore {
  const { volatilityPercent, maxDrawdownPercent, leverage } = measured;
  for (const measure of [volatilityPercent, maxDrawdownPercent, leverage]) {
    if (!(measure >= 0)) throw new RangeError(`not a measure of risk: ${measure}`);
  }
  return Math.max(
    band(volatilityPercent, VOLATILITY_BOUNDS),
    band(maxDrawdownPercent, DRAWDOWN_BOUNDS),
    band(leverage, LEVERAGE_BOUNDS),
  ) as RiskScore;
}

/** Low is 1 and 2, medium 3, high 4 and 5. */
export function riskLevel(score: RiskScore): RiskLevel {
  if (score <= 2) return 'low';
  return score === 3 ? 'medium' : 'high';
}

/**
 * Upper bounds, each included, of scores 1 to 4. Drawdown: the tolerances of the three classes (10, 20, 35) are the
 * bounds of 2, 3 and 4, so that a class is offered only what has stayed within its own tolerance. Volatility and
 * leverage are our own choice: about half of the drawdown that usually goes with it.
 */
const DRAWDOWN_BOUNDS = [5, 10, 20, 35];
const VOLATILITY_BOUNDS = [5, 10, 18, 30];
const LEVERAGE_BOUNDS = [1, 1, 1.5, 3];

function band(measure: number, bounds: readonly number[]): number {
  const index = bounds.findIndex((bound) => measure <= bound);
  return index === -1 ? bounds.length + 1 : index + 1;
}
