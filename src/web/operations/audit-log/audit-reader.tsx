import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import type { SentQuery } from '#contract/http/endpoint.ts';
import { call } from '../../call/call.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { Button } from '../../kit/control/button.tsx';
import { useSearchParams } from '../../kit/page/use-search-params.ts';
import { EmptyState } from '../../kit/state/empty-state.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { AuditFilters, FILTERS } from './audit-filters.tsx';
import { AuditRows } from './audit-rows.tsx';
import { ChainState } from './chain-state.tsx';

/** The filters and the page are in the address: a finding can be sent to a colleague. */
export function AuditReader() {
  const [params, change] = useSearchParams();
  const query = Object.fromEntries(
    [...FILTERS, 'before'].flatMap((name) => {
      const value = params.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  ) as SentQuery<EveryEndpoint['listAuditLog']>;
  const log = useQuery({
    queryKey: ['audit-log', query],
    queryFn: ({ signal }) => call('listAuditLog', { query, signal }),
    placeholderData: keepPreviousData,
  });
  const turnTo = (before: number | null) => {
    const next = new URLSearchParams(params);
    if (before === null) next.delete('before');
    else next.set('before', String(before));
    change(next);
  };
  return (
    <div className="grid gap-10">
      {log.data && <ChainState chain={log.data.chain} />}
      <AuditFilters key={params.toString()} params={params} onFilter={change} />
      {log.isPending && (
        <div className="grid gap-6">
          <LoadingText>Loading the audit log...</LoadingText>
          <Skeleton className="h-72" />
        </div>
      )}
      {log.isError && (
        <ErrorState title="The audit log could not be read" onRetry={() => void log.refetch()}>
          {sentenceOf(log.error, 'Please try again.')}
        </ErrorState>
      )}
      {log.data && !log.isError && (
        <section aria-label="Rows" className="grid gap-6">
          {log.data.results.length === 0 ? (
            <EmptyState title="No row matches">Take a filter away, or look at other days.</EmptyState>
          ) : (
            <AuditRows rows={log.data.results} />
          )}
          <div className="flex flex-wrap gap-3">
            {params.has('before') && (
              <Button variant="secondary" onClick={() => turnTo(null)}>
                Newest rows
              </Button>
            )}
            {log.data.next !== null && (
              <Button variant="secondary" onClick={() => turnTo(log.data.next)}>
                Older rows
              </Button>
            )}
          </div>
        </section>
      )}
    </div>
  );
}
