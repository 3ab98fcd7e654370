import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';

const REFRESH_MS = 15_000;

/** Under the key of the desk, so that a proposal or a decision reads it again. */
export function useCatalogue() {
  return useQuery({
    queryKey: ['operations', 'catalogue'] as const,
    queryFn: ({ signal }) => call('listCatalogue', { signal }),
    refetchInterval: REFRESH_MS,
  });
}
