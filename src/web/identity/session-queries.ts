import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../call/call.ts';

const SESSIONS_KEY = ['sessions'] as const;

export function useSessions() {
  return useQuery({ queryKey: SESSIONS_KEY, queryFn: ({ signal }) => call('listSessions', { signal }) });
}

/** Ends one session by its id, or all others. */
export function useEndSessions() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (which: string | 'others') =>
      which === 'others' ? call('endOtherSessions') : call('endSession', { params: { id: which } }),
    onSettled: () => cache.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
}
