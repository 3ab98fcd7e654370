// The advice on one deployment of a person, in view of all of them together. Promises that it depends on its inputs alone, so that
// a record of them can be checked later.
import { isSuitable } from './is-suitable.ts';
import type { RiskScore } from './risk-class.ts';

/** A changed rule is a new version. */
export const SUITABILITY_RULE_VERSION = '2026-11';

export type AdviceInputs = {
  /** Null without a risk profile. */
  readonly clientScore: RiskScore | null;
  /** Percent; null without a risk profile. */
  readonly tolerancePercent: number | null;
  readonly strategyScore: RiskScore;
  /** Every deployment of real money that has not ended, this one among them. */
  readonly deployments: readonly Deployed[];
};

export type Deployed = {
  /** Dollars. */
  readonly investment: number;
  /** The worst fall of its strategy's record, in percent; null where it was never measured. */
  readonly worstFallPercent: number | null;
};

export const ADVICE_OUTCOMES = [
  'suitable',
  'beyond_joint_tolerance',
  'not_suitable',
  'risk_profile_missing',
] as const;
export type AdviceOutcome = (typeof ADVICE_OUTCOMES)[number];

export function adviceOn(inputs: AdviceInputs): {
  readonly outcome: AdviceOutcome;
  readonly jointFallPercent: number;
} {
  const { clientScore, strategyScore, tolerancePercent } = inputs;
  const jointFallPercent = jointFall(inputs.deployments);
  if (clientScore === null) return { outcome: 'risk_profile_missing', jointFallPercent };
  if (!isSuitable(strategyScore, clientScore)) return { outcome: 'not_suitable', jointFallPercent };
  const isBeyond = tolerancePercent !== null && jointFallPercent > tolerancePercent;
  return { outcome: isBeyond ? 'beyond_joint_tolerance' : 'suitable', jointFallPercent };
}

/**
 * How far all deployments together would fall if each fell as far as its strategy ever has, on the same day: no strategy is
 * assumed to soften another. One without a record counts as lost whole.
 */
export function jointFall(deployments: readonly Deployed[]): number {
  const invested = deployments.reduce((sum, { investment }) => sum + investment, 0);
  if (invested === 0) return 0;
  const lost = deployments.reduce(
    (sum, { investment, worstFallPercent }) => sum + investment * Math.min(100, worstFallPercent ?? 100),
    0,
  );
  return Math.round((lost / invested) * 100) / 100;
}

/** What a record of advice says to the person. */
export function adviceText(
  inputs: AdviceInputs,
  { outcome, jointFallPercent }: { readonly outcome: AdviceOutcome; readonly jointFallPercent: number },
): string {
  const scores = `Its risk score is ${inputs.strategyScore} of 5, yours is ${inputs.clientScore ?? 'missing'}.`;
  const together = `If all your deployments fell as far as their strategies ever have, at the same time, you would lose ${jointFallPercent}% of what you deployed; you said that you can bear ${inputs.tolerancePercent ?? 0}%.`;
  if (outcome === 'risk_profile_missing') return 'We cannot advise you: the questionnaire is not answered.';
  if (outcome === 'not_suitable') return `This strategy does not suit you. ${scores}`;
  if (outcome === 'suitable') return `This strategy suits you. ${scores} ${together}`;
  return `This strategy suits you by itself, but all of them together are more than you said you can bear. ${scores} ${together} Deploy less of the riskier ones, or stop one.`;
}
