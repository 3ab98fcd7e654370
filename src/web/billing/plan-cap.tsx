import { useLocation } from 'react-router';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { planOf, planRefusal } from '#rules/billing/plans.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { useBilling } from './billing-queries.ts';
import { plansQuery } from './plans-query.ts';

/** The sentence by which the person's plan refuses one more deployment of this amount in such a strategy, or null. */
export function usePlanCap(
  investment: Micro | null,
  { min_investment: least }: Pick<Strategy, 'min_investment'>,
): string | null {
  const { data } = useBilling();
  if (!data?.held_to || investment === null) return null;
  const use = {
    activeDeployments: data.active_deployments,
    totalInvestment: toMicro(data.total_investment),
  };
  return planRefusal(planOf(data.held_to), use, investment, toMicro(least));
}

/** Shows what the plan does not cover, and opens the plans; choosing one returns here. */
export function PlanCapNotice({ sentence }: { sentence: string }) {
  const { search } = useLocation();
  return (
    <Notice
      tone="caution"
      title="Your plan does not cover this"
      action={
        <ButtonLink to={plansQuery(search, true)} size="small" variant="secondary">
          See plans
        </ButtonLink>
      }
    >
      {sentence}
    </Notice>
  );
}
