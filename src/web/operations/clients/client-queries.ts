import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../call/call.ts';
import { useSingleAttempt } from '../../call/use-single-attempt.ts';

const clientKey = (id: string) => ['client', id] as const;

/** Each reading is a look at a person, and is written down: it happens when somebody asks for it. */
export function useClient(id: string) {
  return useQuery({
    queryKey: clientKey(id),
    queryFn: ({ signal }) => call('getClient', { params: { id }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}

export function useFindClients() {
  return useMutation({ mutationFn: (sought: string) => call('findClients', { body: { sought } }) });
}

export function useNoteClient(id: string) {
  const cache = useQueryClient();
  const noteOnce = useSingleAttempt((note: string, idempotencyKey: string) =>
    call('noteClient', { params: { id }, body: { note }, idempotencyKey }),
  );
  return useMutation({
    mutationFn: noteOnce,
    onSuccess: () => cache.invalidateQueries({ queryKey: clientKey(id) }),
  });
}
