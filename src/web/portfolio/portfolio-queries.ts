import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';

export function usePortfolio() {
  return useQuery({
    queryKey: ['portfolio'],
    queryFn: ({ signal }) => call('getPortfolio', { signal }),
    refetchInterval: REFRESH_MS,
  });
}

const REFRESH_MS = 15_000;
