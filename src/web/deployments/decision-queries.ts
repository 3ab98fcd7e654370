import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';
import { isLive } from '../call/live-state.ts';

/** While the stream reports fills, reading again only covers the decisions that have none yet. */
const REFRESH_MS = 5_000;
const LIVE_REFRESH_MS = 15_000;
/** What the service keeps a look ahead for. */
const OUTLOOK_MS = 30_000;
const PAGE = 15;

/** Newest first, a page at a time; the pages read so far are read again together. */
export function useTimeline(id: string) {
  return useInfiniteQuery({
    queryKey: ['deployments', id, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      call('listDeploymentDecisions', {
        params: { id },
        query: { limit: PAGE, ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: () => (isLive() ? LIVE_REFRESH_MS : REFRESH_MS),
  });
}

/** A receipt never changes. */
export function useReceipt(id: string, decision: string | null) {
  return useQuery({
    queryKey: ['deployments', id, 'receipt', decision],
    queryFn: ({ signal }) =>
      call('getDeploymentDecision', { params: { id, decision: decision ?? '' }, signal }),
    enabled: decision !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useNextDecision(id: string) {
  return useQuery({
    queryKey: ['deployments', id, 'next-decision'],
    queryFn: ({ signal }) => call('getNextDecision', { params: { id }, signal }),
    refetchInterval: OUTLOOK_MS,
  });
}
