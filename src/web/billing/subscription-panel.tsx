import { useState } from 'react';
import { useLocation } from 'react-router';
import type { Billing, Payment, Subscription } from '#contract/billing.ts';
import { planOf } from '#rules/billing/plans.ts';
import { fromMicro } from '#units/money.ts';
import { Link } from '../kit/control/link.tsx';
import { Button } from '../kit/control/button.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { showDate, showMoney, showWord } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { useBilling, useEndPlan, usePayments } from './billing-queries.ts';
import { receiptAddress } from './plan-address.ts';
import { SaveCard } from './save-card.tsx';
import { plansQuery } from './plans-query.ts';

/** The plan, what it covers, what was paid: on the account. */
export function SubscriptionPanel() {
  const billing = useBilling();
  return (
    <section aria-labelledby="subscription" className="grid gap-5">
      <SectionTitle id="subscription">Subscription</SectionTitle>
      {billing.isPending && <LoadingText>Loading your plan...</LoadingText>}
      {billing.isError && (
        <Notice
          tone="failure"
          title="Failed to load your plan"
          action={
            <Button size="small" variant="secondary" onClick={() => void billing.refetch()}>
              Try Again
            </Button>
          }
        >
          Your plan and strategies have not changed.
        </Notice>
      )}
      {billing.isSuccess && <Plan billing={billing.data} />}
      {billing.data?.subscription && <Receipts />}
    </section>
  );
}

function Plan({ billing }: { billing: Billing }) {
  const { search } = useLocation();
  const { subscription, held_to } = billing;
  const plan = held_to === null ? null : planOf(held_to);
  return (
    <>
      <p className="text-ink-soft">{planSentence(billing)}</p>
      {subscription?.renewal_failure && (
        <Notice tone="caution" title="Your plan has ended">
          {subscription.renewal_failure} You have been on the Free plan since then; your deployments keep
          running.
        </Notice>
      )}
      <dl>
        <StatRow label="Plan">{plan?.name ?? 'None'}</StatRow>
        <StatRow label="Active strategies">
          {billing.active_deployments}
          {plan && ` of ${plan.maxActiveDeployments ?? 'any number'}`}
        </StatRow>
        <StatRow label="Total investment">
          {showMoney(billing.total_investment, { cents: 'auto' })}
          {plan && ` of ${showMoney(fromMicro(plan.maxTotalInvestment), { cents: 'never' })}`}
        </StatRow>
        {subscription && subscription.credit > 0 && (
          <StatRow label="Credit">{showMoney(subscription.credit)}</StatRow>
        )}
      </dl>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={plansQuery(search)} variant="secondary">
          {subscription ? 'Change plan' : 'Choose a plan'}
        </ButtonLink>
        {subscription?.period_end && <EndPlan subscription={subscription} />}
        {billing.takes_money && <SaveCard label="Payment card" />}
      </div>
    </>
  );
}

function planSentence({ subscription, held_to }: Billing): string {
  if (subscription === null) {
    return held_to === null
      ? 'No plan yet. The sandbox has no limits until you choose one.'
      : 'No plan yet, so the limits of the Free plan apply.';
  }
  const name = planOf(subscription.plan).name;
  if (subscription.period_end === null) return `You are on the ${name} plan. It costs nothing.`;
  const end = showDate(subscription.period_end);
  if (subscription.cancelled_at !== null) {
    return `Your ${name} plan is cancelled and ends on ${end}. After that you are on the Free plan.`;
  }
  return `Your ${name} plan renews on ${end} for ${showMoney(subscription.next_payment)}, paid ${subscription.interval}.`;
}

function EndPlan({ subscription }: { subscription: Subscription }) {
  const [asking, setAsking] = useState(false);
  const cancel = useEndPlan('cancelPlan');
  const keep = useEndPlan('keepPlan');
  if (subscription.cancelled_at !== null) {
    return (
      <Button busy={keep.isPending} busyLabel="Keeping..." onClick={() => keep.mutate()}>
        Keep plan
      </Button>
    );
  }
  const end = showDate(subscription.period_end);
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Cancel plan
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel your plan?"
        description={`It runs until ${end}. After that you are on the Free plan: 1 active strategy and $1,000 in total. Your deployments keep running and nothing is sold, but beyond those limits you cannot start or resume a deployment.`}
        footer={
          <>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep plan
            </Button>
            <Button
              variant="danger"
              busy={cancel.isPending}
              busyLabel="Cancelling..."
              onClick={() => cancel.mutate(undefined, { onSettled: () => setAsking(false) })}
            >
              Cancel plan
            </Button>
          </>
        }
      />
    </>
  );
}

function Receipts() {
  const payments = usePayments();
  if (payments.isError) {
    return <Notice tone="failure">Your receipts could not be loaded. Please try again shortly.</Notice>;
  }
  if (!payments.data || payments.data.length === 0) return null;
  return (
    <DataTable caption="Receipts" rows={payments.data} rowKey={({ id }) => id} columns={RECEIPT_COLUMNS} />
  );
}

const RECEIPT_COLUMNS: readonly Column<Payment>[] = [
  {
    key: 'number',
    header: 'Receipt',
    cell: ({ id, receipt_number }) => (
      <Link
        to={receiptAddress(id)}
        className="figures text-accent underline decoration-current/35 underline-offset-4"
      >
        {receipt_number}
      </Link>
    ),
  },
  { key: 'date', header: 'Date', cell: ({ paid_at }) => showDate(paid_at) },
  {
    key: 'plan',
    header: 'Plan',
    cell: ({ plan, interval }) => `${planOf(plan).name}, ${showWord(interval).toLowerCase()}`,
  },
  { key: 'amount', header: 'Amount', align: 'right', cell: ({ amount }) => showMoney(amount) },
];
