import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../call/call.ts';

const KEY = ['second-factor'] as const;

export function useSecondFactor() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => call('getSecondFactor', { signal }) });
}

export function useSetUp() {
  return useMutation({ mutationFn: () => call('setUpSecondFactor') });
}

/** Reads again what changed: turning it on also ended the other sessions. */
export function useReloadSecurity() {
  const cache = useQueryClient();
  return async () => {
    await cache.invalidateQueries({ queryKey: KEY });
    await cache.invalidateQueries({ queryKey: ['sessions'] });
  };
}
