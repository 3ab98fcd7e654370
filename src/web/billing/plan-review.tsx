import { Navigate, useLocation, useNavigate } from 'react-router';
import type { Plan } from '#contract/billing.ts';
import { CallError, sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { ConfirmAtBank } from '../kit/state/confirm-at-bank.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { Surface } from '../kit/page/surface.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { showToast } from '../kit/overlay/toast.ts';
import {
  type PlanChoice,
  useBilling,
  useChoosePlan,
  useChosenMeanwhile,
  usePlanQuote,
  usePlans,
} from './billing-queries.ts';
import { billingAddress, receiptAddress } from './plan-address.ts';
import { SaveCard } from './save-card.tsx';
import { PlanSum } from './plan-sum.tsx';
import { plansQuery } from './plans-query.ts';

/** What was chosen on the left, what it costs now and the one button on the right. */
export function PlanReview({ choice, next }: { choice: PlanChoice; next: string }) {
  const plans = usePlans();
  if (plans.isPending) return <LoadingText>Loading subscription plans...</LoadingText>;
  const plan = plans.data?.find(({ id }) => id === choice.plan);
  if (!plan) {
    return (
      <ErrorState title="Failed to load subscription plans" onRetry={() => window.location.reload()}>
        Nothing was chosen and nothing was charged.
      </ErrorState>
    );
  }
  return (
    <>
      <PageTitle lead="Check the details. Nothing changes until you confirm.">
        Review your {plan.name} plan
      </PageTitle>
      <div className="mt-8 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <ChosenPlan plan={plan} choice={choice} next={next} />
        <Payment plan={plan} choice={choice} next={next} />
      </div>
    </>
  );
}

type Part = { plan: Plan; choice: PlanChoice; next: string };

function ChosenPlan({ plan, choice, next }: Part) {
  const navigate = useNavigate();
  const { search } = useLocation();
  return (
    <section aria-labelledby="chosen">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="chosen" className="font-serif text-lg">
          What is in it
        </h2>
        {plan.price > 0 && (
          <SegmentedControl
            label="Paid"
            options={[
              { value: 'monthly', label: 'Monthly' },
              { value: 'yearly', label: 'Yearly -20%' },
            ]}
            value={choice.interval}
            onChange={(interval) =>
              void navigate(billingAddress({ plan: choice.plan, interval }, next), { replace: true })
            }
          />
        )}
      </div>
      <ul className="mt-4 grid">
        {plan.features.map((feature) => (
          <li key={feature} className="border-b py-2.5 text-ink-soft last:border-0">
            {feature}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm">
        <TextLink to={plansQuery(search)} replace>
          Choose another plan
        </TextLink>
      </p>
    </section>
  );
}

function Payment({ plan, choice, next }: Part) {
  const navigate = useNavigate();
  const billing = useBilling();
  const quote = usePlanQuote(choice);
  const chosen = useChoosePlan();
  const waits = Boolean(chosen.data?.payment_page);
  const isChosen = useChosenMeanwhile(choice, waits);
  if (waits && isChosen) return <Navigate to={next} replace />;
  const confirm = () =>
    chosen.mutate(choice, {
      onSuccess: ({ payment, payment_page: page }) => {
        if (page !== null) return;
        if (payment === null) showToast({ title: `You are on the ${plan.name} plan`, type: 'success' });
        void navigate(payment === null ? next : receiptAddress(payment.id, next), { replace: true });
      },
    });
  return (
    <Surface aria-labelledby="payment">
      <h2 id="payment" className="font-serif text-lg">
        Payment
      </h2>
      {quote.isPending && <LoadingText>Calculating the amount due...</LoadingText>}
      {quote.isError && <QuoteRefused error={quote.error} next={next} onRetry={() => void quote.refetch()} />}
      {quote.isSuccess && (
        <>
          <PlanSum quote={quote.data} previous={billing.data?.subscription?.plan ?? null} />
          {billing.data?.takes_money === false && quote.data.amount_due > 0 && (
            <div className="mt-5">
              <Notice title="This is the sandbox: nothing is charged">
                No card is needed and no money moves. We record the payment and create a receipt, so you can
                see how a plan works.
              </Notice>
            </div>
          )}
          {chosen.isError && (
            <div className="mt-5">
              <Notice
                tone="failure"
                title="The plan was not changed"
                action={isDeclined(chosen.error) ? <SaveCard label="Save a card" /> : undefined}
              >
                {sentenceOf(chosen.error, 'Please try again.')}
              </Notice>
            </div>
          )}
          {chosen.data?.payment_page && (
            <div className="mt-5">
              <ConfirmAtBank page={chosen.data.payment_page}>
                It opens a page of the payment service. Your plan changes once the payment service tells us
                that it is paid; this page shows it by itself.
              </ConfirmAtBank>
            </div>
          )}
          <Button
            size="large"
            wide
            className="mt-6"
            busy={chosen.isPending || (chosen.isSuccess && chosen.data.payment_page === null)}
            busyLabel="Confirming..."
            onClick={confirm}
          >
            {confirmText(billing.data?.takes_money, quote.data.amount_due)}
          </Button>
        </>
      )}
    </Surface>
  );
}

const isDeclined = (error: Error) => error instanceof CallError && error.code === 'payment_declined';

function confirmText(takesMoney: boolean | undefined, due: number): string {
  return takesMoney && due > 0 ? 'Pay and confirm' : 'Confirm plan';
}

function QuoteRefused({ error, next, onRetry }: { error: Error; next: string; onRetry: () => void }) {
  const isRefused = error instanceof CallError && error.status > 0 && error.status < 500;
  if (!isRefused) {
    return (
      <div className="mt-4">
        <Notice
          tone="failure"
          title="The amount due could not be calculated"
          action={
            <Button size="small" variant="secondary" onClick={onRetry}>
              Try Again
            </Button>
          }
        >
          {sentenceOf(error, 'Nothing was charged.')}
        </Notice>
      </div>
    );
  }
  const isCurrent = error.code === 'already_exists';
  return (
    <div className="mt-4 grid gap-4">
      <Notice tone={isCurrent ? 'info' : 'caution'} title={isCurrent ? undefined : 'This plan is too small'}>
        {error.message}
      </Notice>
      <div className="flex flex-wrap gap-3">
        {isCurrent ? (
          <ButtonLink to={next}>Continue</ButtonLink>
        ) : (
          <ButtonLink to="/deployed-strategies" variant="secondary">
            Go to my strategies
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
