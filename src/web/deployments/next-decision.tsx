import { CalendarClock } from 'lucide-react';
import { showDateTime, showMarketTime, showQuantity } from '../kit/figure/show-figure.ts';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useNextDecision } from './decision-queries.ts';

/** How many likely orders are named; the sentence counts them all. */
const NAMED_MAX = 8;

/** When the strategy next decides and what it would likely order; nothing where that cannot be read now. */
export function NextDecisionLine({ deploymentId }: { deploymentId: string }) {
  const next = useNextDecision(deploymentId);
  if (next.isPending) return <Skeleton className="h-16" />;
  if (next.data === undefined) return null;
  const { at, text, likely, as_of: asOf } = next.data;
  const named = (likely ?? [])
    .slice(0, NAMED_MAX)
    .map(({ side, quantity, ticker }) => `${side} ${showQuantity(quantity)} ${ticker}`);
  const more = (likely?.length ?? 0) - named.length;
  return (
    <div className="flex gap-3 rounded-surface border bg-surface px-4 py-3 text-sm">
      <CalendarClock className="mt-0.5 size-4 shrink-0 text-ink-faint" aria-hidden="true" />
      <div>
        {at !== null && (
          <p className="font-medium">
            Next decision <time dateTime={at}>{showMarketTime(at)}</time>
          </p>
        )}
        <p className="text-ink-soft">{text}</p>
        {named.length > 0 && (
          <p className="figures mt-1 text-ink-faint first-letter:uppercase">
            {named.join(', ')}
            {more > 0 && ` and ${more} more`}
            {asOf !== null && `, at the prices of ${showDateTime(asOf)}`}
          </p>
        )}
      </div>
    </div>
  );
}
