import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../call/call.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { useSession } from '../../call/session.tsx';
import { showToast } from '../../kit/overlay/toast.ts';

const KEY = ['watch-list'] as const;

/** The ids of the strategies that the person watches; undefined for visitors and until it is known. */
export function useWatchList(): readonly string[] | undefined {
  const { user } = useSession();
  const list = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('listWatchedStrategies', { signal }),
    enabled: user !== null,
  });
  return user === null ? undefined : list.data?.strategies;
}

/** Watches a strategy or stops it; the list is what the service answers. */
export function useWatch(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (isWatched: boolean) =>
      call(isWatched ? 'watchStrategy' : 'unwatchStrategy', { params: { id } }),
    onSuccess: (list) => cache.setQueryData(KEY, list),
    onError: (error) =>
      showToast({
        type: 'error',
        title: 'Your watch list was not changed',
        message: sentenceOf(error, 'Please try again.'),
      }),
  });
}
