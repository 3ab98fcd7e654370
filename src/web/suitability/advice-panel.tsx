import { useQuery } from '@tanstack/react-query';
import type { AdviceRecord } from '#contract/suitability.ts';
import { call } from '../call/call.ts';
import { TextLink } from '../kit/control/text-link.tsx';
import { showDate } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';

/** The newest records of advice. */
export function AdvicePanel({ limit }: { limit: number }) {
  const advice = useQuery({
    queryKey: ['advice'],
    queryFn: ({ signal }) => call('listAdvice', { signal }),
  });
  return (
    <section aria-labelledby="advice" className="grid gap-4">
      <SectionTitle
        id="advice"
        note="Kept whenever you deploy or resume, and whenever your score or that of a strategy changes."
      >
        Records of Advice
      </SectionTitle>
      {advice.isPending && <Skeleton className="h-24" />}
      {advice.isError && (
        <ErrorState title="The records of advice could not be loaded" onRetry={() => void advice.refetch()} />
      )}
      {advice.data?.length === 0 && (
        <p className="text-sm text-ink-soft">None yet. The first one follows your first deployment.</p>
      )}
      {advice.data !== undefined && advice.data.length > 0 && (
        <ol className="grid gap-4">
          {advice.data.slice(0, limit).map((record) => (
            <Advice key={record.id} record={record} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Advice({ record }: { record: AdviceRecord }) {
  const { strategy_name, deployment, occasion, outcome, text, at } = record;
  return (
    <li className="grid gap-1 border-b pb-4 text-sm">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">
          {deployment === null ? (
            strategy_name
          ) : (
            <TextLink to={`/deployed-strategies/${deployment}`}>{strategy_name}</TextLink>
          )}
        </span>
        <span className="text-ink-soft">
          {OCCASIONS[occasion]}, {showDate(at)}
        </span>
      </p>
      <p className={outcome === 'suitable' ? 'text-ink-soft' : 'text-caution'}>{text}</p>
    </li>
  );
}

const OCCASIONS: Readonly<Record<AdviceRecord['occasion'], string>> = {
  deposit: 'When money was added',
  deploy: 'Deployed',
  resume: 'Resumed',
  client_score: 'Your score changed',
  strategy_score: 'The strategy’s score changed',
};
