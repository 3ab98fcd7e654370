import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Notification } from '#contract/notifications.ts';
import { call } from '../call/call.ts';
import { isLive } from '../call/live-state.ts';

/** Specification section 9: notifications are polled every 15 seconds; rarely while the stream delivers them. */
const POLL_MS = 15_000;
const LIVE_POLL_MS = 60_000;
const KEY = ['notifications'] as const;

export function useNotifications() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('listNotifications', { signal }),
    refetchInterval: () => (isLive() ? LIVE_POLL_MS : POLL_MS),
  });
}

/** Marks one, or all without an id. Shown as read at once; put back when the service did not take it. */
export function useMarkRead() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (id: string | undefined) => {
      if (id === undefined) await call('markAllNotificationsRead');
      else await call('markNotificationRead', { params: { id } });
    },
    onMutate: async (id) => {
      await cache.cancelQueries({ queryKey: KEY });
      const before = cache.getQueryData<Notification[]>(KEY);
      cache.setQueryData<Notification[]>(KEY, (list) =>
        list?.map((one) => (id === undefined || one.id === id ? { ...one, read: true } : one)),
      );
      return before;
    },
    onError: (_error, _id, before) => cache.setQueryData(KEY, before),
    onSettled: () => void cache.invalidateQueries({ queryKey: KEY }),
  });
}
