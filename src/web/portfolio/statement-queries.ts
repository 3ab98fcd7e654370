import { useQuery } from '@tanstack/react-query';
import type { StatementQuery } from '#contract/portfolio.ts';
import { call } from '../call/call.ts';

export const statementKey = (asked: StatementQuery) => ['statement', asked] as const;

/** The last one stays on screen until the next one is there. */
export function useStatement(asked: StatementQuery) {
  return useQuery({
    queryKey: statementKey(asked),
    queryFn: ({ signal }) => call('getStatement', { query: asked, signal }),
    placeholderData: (previous) => previous,
    refetchInterval: REFRESH_MS,
  });
}

const REFRESH_MS = 30_000;
