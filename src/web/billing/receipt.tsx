import { Printer } from 'lucide-react';
import type { Payment } from '#contract/billing.ts';
import { planOf } from '#rules/billing/plans.ts';
import { PROVIDER } from '../call/provider.ts';
import { CallError } from '../call/call-error.ts';
import { useUser } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { showDate, showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { usePayment } from './billing-queries.ts';
import { AFTER_BILLING } from './plan-address.ts';

export function Receipt({ id, next }: { id: string; next: string }) {
  const payment = usePayment(id);
  if (payment.isPending) return <LoadingText>Loading the receipt...</LoadingText>;
  if (payment.isError) {
    const isAbsent = payment.error instanceof CallError && payment.error.status === 404;
    return (
      <ErrorState
        heading="h1"
        title={isAbsent ? 'Receipt not found' : 'Failed to load the receipt'}
        onRetry={isAbsent ? undefined : () => void payment.refetch()}
        action={
          <ButtonLink to={AFTER_BILLING} variant="secondary">
            Back to your account
          </ButtonLink>
        }
      >
        {isAbsent ? 'This receipt does not exist in your account.' : 'The payment has not changed.'}
      </ErrorState>
    );
  }
  return <Shown payment={payment.data} next={next} />;
}

function Shown({ payment, next }: { payment: Payment; next: string }) {
  const user = useUser();
  const name = `${user.first_name} ${user.last_name}`.trim();
  const isRecordOnly = payment.vendor === 'ledger';
  return (
    <article className="mx-auto max-w-2xl">
      <header className="flex flex-wrap items-end justify-between gap-4 border-b pb-5">
        <div>
          <h1 className="font-serif text-xl sm:text-2xl">Receipt</h1>
          <p className="figures mt-1 text-ink-soft">
            {payment.receipt_number}, {showDate(payment.paid_at)}
          </p>
        </div>
        <p className="figures text-xl">{showMoney(payment.amount)}</p>
      </header>
      <dl className="mt-2">
        <StatRow label="Plan">
          {planOf(payment.plan).name}, {payment.interval}
        </StatRow>
        <StatRow label="Period">
          {showDate(payment.period_start)} to {showDate(payment.period_end)}
        </StatRow>
        <StatRow label="Price of the period">{showMoney(payment.price)}</StatRow>
        {payment.credit_used > 0 && (
          <StatRow label="Paid from credit">{showMoney(-payment.credit_used)}</StatRow>
        )}
        <StatRow label="Amount">{showMoney(payment.amount)}</StatRow>
        {payment.refunded > 0 && (
          <StatRow label="Given back" note={`Because ${payment.refund_reason}`}>
            {showMoney(-payment.refunded)}
          </StatRow>
        )}
        {payment.charged_back > 0 && (
          <StatRow label="Taken back" note="By your bank, after a dispute">
            {showMoney(-payment.charged_back)}
          </StatRow>
        )}
        <StatRow label="Date">{showDateTime(payment.paid_at)}</StatRow>
        <StatRow label="For">
          {name === '' ? '' : `${name}, `}
          {user.email}
        </StatRow>
        <StatRow label="From" note={PROVIDER.address}>
          {PROVIDER.companyName}
        </StatRow>
      </dl>
      {isRecordOnly && (
        <p className="mt-5 text-sm text-ink-soft">
          Sandbox record: no card was used and nothing was charged.
        </p>
      )}
      <div className="mt-8 flex flex-wrap gap-3 print:hidden">
        <ButtonLink to={next} size="large">
          {continueText(next)}
        </ButtonLink>
        <Button
          variant="secondary"
          size="large"
          icon={<Printer className="size-4" aria-hidden="true" />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </div>
    </article>
  );
}

function continueText(next: string): string {
  if (next === AFTER_BILLING) return 'Go to your account';
  return next.startsWith('/strategy/') ? 'Continue deploying' : 'Continue';
}
