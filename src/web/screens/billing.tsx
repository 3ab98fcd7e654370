import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { PlanChoice } from '../billing/billing-queries.ts';
import { billingAddress, readChoice, readNext } from '../billing/plan-address.ts';
import { PlanModal } from '../billing/plan-modal.tsx';
import { PlanReview } from '../billing/plan-review.tsx';
import { Receipt } from '../billing/receipt.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { useSearchParams } from '../kit/page/use-search-params.ts';

/** Review, payment, receipt, then on. All that it needs is in the address, so a reload loses nothing. */
export function Billing() {
  usePageTitle('Billing');
  const { state } = useLocation();
  const [query] = useSearchParams();
  const choice = readChoice(query, state);
  const next = readNext(query, state);
  const receipt = query.get('receipt');
  useKeptInAddress(receipt === null ? choice : null, next);
  if (receipt !== null || choice !== null)
    return (
      <>
        {receipt !== null && <Receipt id={receipt} next={next} />}
        {receipt === null && choice !== null && <PlanReview key={choice.plan} choice={choice} next={next} />}
        <p className="mx-auto mt-10 max-w-2xl border-t pt-5 text-sm text-ink-soft print:hidden">
          Performance fees are billed apart from your plan.{' '}
          <TextLink to="/fees">See your performance fee bills</TextLink>
        </p>
      </>
    );
  return (
    <>
      <PageTitle lead="No plan is chosen yet.">Billing</PageTitle>
      <PlanModal closable={false} next={next} />
    </>
  );
}

/** A plan that was only handed over with the navigation is written into the address. */
function useKeptInAddress(choice: PlanChoice | null, next: string): void {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const wanted = choice === null ? null : billingAddress(choice, next);
  const isKept = new URLSearchParams(search).has('plan');
  useEffect(() => {
    if (wanted !== null && !isKept) void navigate(wanted, { replace: true, state });
  }, [wanted, isKept, navigate, state]);
}
