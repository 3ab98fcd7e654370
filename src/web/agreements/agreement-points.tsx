import { useHasProvider } from '../call/installation.ts';
import { FEE_DUE_DAYS, PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';

const POINTS = [
  {
    title: 'Automated trading on your behalf',
    text: 'We place, change and cancel orders in your own brokerage account, within the amount and the limits that you set. We cannot withdraw money, and you can pause at any time.',
  },
  {
    title: 'Risk disclosure',
    text: 'You may lose part of what you deploy or all of it. Results shown for a strategy are hypothetical, and no return is promised.',
  },
  {
    title: 'Fee structure and payment terms',
    text: `${PERFORMANCE_FEE_PERCENT}% of profit above the high-water mark, billed weekly or monthly and due within ${FEE_DUE_DAYS} days. No management fee and no retainer.`,
  },
  {
    title: 'Data usage and privacy',
    text: 'We use your data to advise you, to trade for you and to keep the records that the law requires. We do not sell it.',
  },
];

const OWN_POINTS = [
  {
    title: 'Automated trading',
    text: 'The software places, changes and cancels orders in your own brokerage account, within the amount and the limits that you set. It cannot withdraw money, and you can pause at any time.',
  },
  {
    title: 'Risk disclosure',
    text: 'You may lose part of what you deploy or all of it. Results shown for a strategy are hypothetical, and no return is promised.',
  },
];

/** What the agreement is about, before it is read; without a provider, the statement of risks. */
export function AgreementPoints() {
  return (
    <dl className="grid gap-5 sm:grid-cols-2 sm:gap-x-8">
      {(useHasProvider() ? POINTS : OWN_POINTS).map(({ title, text }) => (
        <div key={title}>
          <dt className="text-sm font-medium">{title}</dt>
          <dd className="mt-1 text-sm text-ink-soft">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
