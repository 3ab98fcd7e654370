import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';

const MINUTE_MS = 60_000;

export function useBrokers() {
  return useQuery({
    queryKey: ['brokers'],
    queryFn: ({ signal }) => call('listBrokers', { signal }),
    staleTime: MINUTE_MS,
  });
}
