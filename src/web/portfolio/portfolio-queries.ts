import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';

export const PORTFOLIO_KEY = ['portfolio'] as const;

export function usePortfolio() {
  return useQuery({
    queryKey: PORTFOLIO_KEY,
    queryFn: ({ signal }) => call('getPortfolio', { signal }),
    refetchInterval: REFRESH_MS,
  });
}

const REFRESH_MS = 15_000;
