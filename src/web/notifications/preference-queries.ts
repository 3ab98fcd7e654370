import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NotificationPreferences } from '#rules/notifications/preferences.ts';
import { call } from '../call/call.ts';
import { cachePreferences, readCachedPreferences } from './preference-cache.ts';

const KEY = ['notification-preferences'] as const;

export function usePreferencesQuery() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const preferences = await call('getNotificationPreferences', { signal });
      cachePreferences(preferences);
      return preferences;
    },
    staleTime: 60_000,
  });
}

/** The current preferences: the server's answer, or the browser's copy until it arrives. */
export function usePreferences(): NotificationPreferences {
  return usePreferencesQuery().data ?? readCachedPreferences();
}

export type Toggle = {
  readonly channel: keyof NotificationPreferences;
  readonly name: string;
  readonly on: boolean;
};

/** Saves one switch. Shown at once; put back when the service did not take it. */
export function useTogglePreference() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ channel, name, on }: Toggle) =>
      call('changeNotificationPreferences', { body: { [channel]: { [name]: on } } }),
    onMutate: async ({ channel, name, on }) => {
      await cache.cancelQueries({ queryKey: KEY });
      const before = cache.getQueryData<NotificationPreferences>(KEY);
      const present = before ?? readCachedPreferences();
      cache.setQueryData(KEY, { ...present, [channel]: { ...present[channel], [name]: on } });
      return before;
    },
    onSuccess: (saved) => {
      cache.setQueryData(KEY, saved);
      cachePreferences(saved);
    },
    onError: (_error, _toggle, before) => {
      cache.setQueryData(KEY, before);
      void cache.invalidateQueries({ queryKey: KEY });
    },
  });
}
