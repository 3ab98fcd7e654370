import { Check } from 'lucide-react';
import type { Plan } from '#contract/billing.ts';
import { PLAN_FEATURE_NOTES, PLANS_DIFFER_IN } from '#rules/billing/plan-features.ts';
import type { PlanInterval } from '#rules/billing/plans.ts';
import { Badge } from '../kit/state/badge.tsx';
import { Button } from '../kit/control/button.tsx';
import { classNames } from '../kit/class-names.ts';
import { showMoney } from '../kit/figure/show-figure.ts';
import type { PlanChoice } from './billing-queries.ts';

export function PlanCards({
  plans,
  interval,
  current,
  onChoose,
}: {
  plans: readonly Plan[];
  interval: PlanInterval;
  /** The plan that the person is on; null without one. */
  current: PlanChoice | null;
  onChoose: (plan: Plan) => void;
}) {
  return (
    <>
      <p className="prose-width mb-5 text-sm text-ink-soft">{PLANS_DIFFER_IN}</p>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {plans.map((plan) => (
          <li key={plan.id}>
            <PlanCard
              plan={plan}
              interval={interval}
              isCurrent={plan.id === current?.plan && (plan.id === 'free' || interval === current.interval)}
              onChoose={() => onChoose(plan)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function PlanCard({
  plan,
  interval,
  isCurrent,
  onChoose,
}: {
  plan: Plan;
  interval: PlanInterval;
  isCurrent: boolean;
  onChoose: () => void;
}) {
  const price = interval === 'yearly' ? plan.yearly_price : plan.price;
  return (
    <article
      aria-label={`${plan.name} plan`}
      className={classNames(
        'flex h-full flex-col rounded-surface border p-5',
        plan.isPopular && 'border-accent',
      )}
    >
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{plan.name}</h3>
        {plan.isPopular && <Badge tone="accent">Most popular</Badge>}
      </div>
      <p className="figures mt-4">
        <span className="text-xl">{showMoney(price, { cents: 'never' })}</span>
        <span className="text-sm text-ink-faint"> / month</span>
      </p>
      <p className="figures mt-1 min-h-5 text-sm text-ink-faint">
        {price > 0 &&
          (interval === 'yearly'
            ? `${showMoney(price * 12, { cents: 'never' })} once a year`
            : 'Paid by the month')}
      </p>
      <ul className="mt-4 grid gap-2 border-t pt-4 text-sm text-ink-soft">
        {plan.features.map((feature) => (
          <li key={feature} className="flex gap-2">
            <Check className="mt-0.5 size-4 shrink-0 text-ink-faint" aria-hidden="true" />
            <span>
              {feature}
              {PLAN_FEATURE_NOTES[feature] && (
                <span className="block text-xs text-ink-faint">{PLAN_FEATURE_NOTES[feature]}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-auto pt-6">
        {isCurrent ? (
          <p className="flex h-10 items-center justify-center text-sm text-ink-soft">Your plan</p>
        ) : (
          <Button
            wide
            variant={plan.isPopular ? 'primary' : 'secondary'}
            onClick={onChoose}
            aria-label={`${buttonText(plan)}: ${plan.name}`}
          >
            {buttonText(plan)}
          </Button>
        )}
      </div>
    </article>
  );
}

/** Specification section 2. */
function buttonText({ id }: Plan): string {
  return id === 'free' ? 'Get Started' : 'Subscribe Now';
}
