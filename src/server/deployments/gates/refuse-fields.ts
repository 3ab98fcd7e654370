import type { CreatePracticeRequest } from '#contract/deployments.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import { checkNewSettings } from '#rules/deployments/check-settings.ts';
import {
  checkDisconnectPolicy,
  DEFAULT_DISCONNECT_POLICY,
} from '#rules/deployments/disconnect-policy-text.ts';
import { checkInvestmentAmount } from '#rules/deployments/investment-amount.ts';
import type { Micro } from '#units/money.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

/** The first field of a new deployment that is out of its range. */
export function refuseFields(
  body: CreatePracticeRequest,
  investment: Micro,
  { minInvestment }: StrategyRecord,
): Refused | null {
  const problem =
    checkInvestmentAmount(investment, minInvestment) ??
    checkNewSettings(body)[0] ??
    checkDisconnectPolicy(disconnectPolicyOf(body));
  if (!problem) return null;
  const isBelowMinimum = problem.field === 'investment_amount' && problem.code === 'below_minimum';
  return refuse(isBelowMinimum ? 'below_minimum' : 'out_of_range', problem.message, { field: problem.field });
}

export function disconnectPolicyOf({
  disconnect_choice: choice,
  disconnect_minutes: minutes,
}: CreatePracticeRequest) {
  return {
    choice: choice ?? DEFAULT_DISCONNECT_POLICY.choice,
    minutes:
      choice === 'wait' ? DEFAULT_DISCONNECT_POLICY.minutes : (minutes ?? DEFAULT_DISCONNECT_POLICY.minutes),
  };
}
