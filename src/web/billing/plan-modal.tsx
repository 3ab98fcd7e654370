import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Plan } from '#contract/billing.ts';
import type { PlanInterval } from '#rules/billing/plans.ts';
import { BILLING_TERM } from '#rules/fees/fee-terms.ts';
import { FEE_DUE_DAYS, PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import { useSession } from '../call/session.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { useBilling, usePlans } from './billing-queries.ts';
import { AFTER_BILLING, billingAddress, readNext } from './plan-address.ts';
import { PlanCards } from './plan-cards.tsx';
import { withoutPlans } from './plans-query.ts';

/** The plans over the page; choosing one goes to /billing. Closed by taking it out of the address. */
export function PlanModal({ closable = true, next: given }: { closable?: boolean; next?: string }) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const billing = useBilling({ enabled: user !== null });
  const current = billing.data?.subscription ?? null;
  const [asked, setAsked] = useState<PlanInterval | null>(null);
  const interval = asked ?? current?.interval ?? 'monthly';
  const here = pathname + withoutPlans(search);
  const comesBack = new URLSearchParams(search).get('plans') === 'here';
  const next = given ?? (comesBack ? here : readNext(new URLSearchParams(search), null));
  const choose = (plan: Plan) =>
    void navigate(billingAddress({ plan: plan.id, interval }, next), {
      state: { plan: { ...plan, interval }, next },
      replace: true,
    });
  return (
    <Dialog
      open
      closable={closable}
      onOpenChange={(open) => !open && void navigate(here, { replace: true })}
      // The spelling is the specification's.
      title="Choose Your Subscripiton Plan"
      description={`A plan sets how many strategies you can run and how much you can invest. ${FEE_TERM}`}
      width="widest"
    >
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl label="Paid" options={INTERVALS} value={interval} onChange={setAsked} />
        {billing.data?.takes_money === false && (
          <p className="text-sm text-ink-faint">Sandbox: no card needed, nothing is charged.</p>
        )}
      </div>
      <Cards interval={interval} current={current} onChoose={choose} />
      {!closable && (
        <p className="mt-6 text-sm">
          <TextLink to={AFTER_BILLING}>Not now, back to your account</TextLink>
        </p>
      )}
    </Dialog>
  );
}

const FEE_TERM = `The performance fee is separate: ${PERFORMANCE_FEE_PERCENT}% of profit above the high-water mark. ${BILLING_TERM} Each invoice is due within ${FEE_DUE_DAYS} days.`;

const INTERVALS = [
  { value: 'monthly', label: 'Monthly' },
  { value: 'yearly', label: 'Yearly -20%' },
] as const;

function Cards(rest: Omit<Parameters<typeof PlanCards>[0], 'plans'>) {
  const plans = usePlans();
  if (plans.isPending) {
    return (
      <>
        <LoadingText>Loading subscription plans...</LoadingText>
        <div className="mt-4 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          {[1, 2, 3, 4].map((place) => (
            <Skeleton key={place} className="h-80" />
          ))}
        </div>
      </>
    );
  }
  if (plans.isError) {
    return (
      <ErrorState title="Failed to load subscription plans" onRetry={() => window.location.reload()}>
        Your plan and strategies have not changed.
      </ErrorState>
    );
  }
  return <PlanCards plans={plans.data} {...rest} />;
}
