import type { PlanQuote } from '#contract/billing.ts';
import { type PlanId, planOf } from '#rules/billing/plans.ts';
import { showDate, showMoney } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';

/** How the amount due is computed, line by line. */
export function PlanSum({ quote, previous }: { quote: PlanQuote; previous: PlanId | null }) {
  const earlierCredit = quote.credit_used + quote.credit_left - quote.unused;
  return (
    <>
      <dl className="mt-3">
        <StatRow label={quote.interval === 'yearly' ? 'One year' : 'One month'}>
          {showMoney(quote.price)}
        </StatRow>
        {quote.unused > 0 && previous !== null && (
          <StatRow label={`Unused days of your ${planOf(previous).name} plan`}>
            {showMoney(-quote.unused)}
          </StatRow>
        )}
        {earlierCredit >= 0.005 && <StatRow label="Earlier credit">{showMoney(-earlierCredit)}</StatRow>}
        <StatRow label={<span className="font-medium text-ink">Due today</span>}>
          <span className="font-medium">{showMoney(quote.amount_due)}</span>
        </StatRow>
        {quote.credit_left > 0 && (
          <StatRow label="Kept as credit for later payments">{showMoney(quote.credit_left)}</StatRow>
        )}
      </dl>
      <p className="mt-3 text-sm text-ink-faint">{whatHappensNext(quote)}</p>
    </>
  );
}

function whatHappensNext({ renews_at, price, unused }: PlanQuote): string {
  if (renews_at === null) {
    return unused > 0
      ? 'The Free plan starts today and costs nothing. The unused part of your paid plan is kept as credit; it is not paid out.'
      : 'The Free plan costs nothing and does not renew.';
  }
  const rule = unused > 0 ? 'A new period starts today; the unused days of your old plan are credited. ' : '';
  return `${rule}Renews on ${showDate(renews_at)} for ${showMoney(price)}. You can cancel at any time; the plan then runs until the end of its period.`;
}
