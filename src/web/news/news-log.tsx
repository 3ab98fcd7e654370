import type { NewsDelivery } from '#contract/news.ts';
import { NEWS_LABELS, newsOf } from '#rules/notifications/choices.ts';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { ErrorState } from '../kit/state/error-state.tsx';
import { useNewsDeliveries } from './news-queries.ts';

export function NewsLog() {
  const deliveries = useNewsDeliveries();
  if (deliveries.isError)
    return <ErrorState title="The log could not be loaded" onRetry={() => void deliveries.refetch()} />;
  if (deliveries.data?.length === 0) return <p className="mt-2 text-ink-faint">Nothing was sent yet.</p>;
  return (
    <ul className="mt-2">
      {deliveries.data?.map((delivery) => (
        <LogRow key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

function LogRow({ delivery }: { delivery: NewsDelivery }) {
  const { type, name, status, attempts, problem, created_at: at } = delivery;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b py-2 last:border-0">
      <span className="min-w-40 flex-1 wrap-anywhere">
        {type === 'test' ? 'Test' : NEWS_LABELS[newsOf(type)].label}{' '}
        <span className="text-ink-soft">{name}</span>
        {problem !== null && <span className="text-ink-faint"> {problem}</span>}
      </span>
      <span className="figures text-ink-faint">
        {STATUS_WORDS[status]}
        {attempts > 1 && `, ${attempts} attempts`}, {showDateTime(at)}
      </span>
    </li>
  );
}

const STATUS_WORDS = { waiting: 'Waiting', taken: 'Sent', failed: 'Failed' } as const;
