import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Choice, NewsChoices } from '#rules/notifications/choices.ts';
import { type NotificationPreferences, preferencesOf } from '#rules/notifications/preferences.ts';
import { call } from '../call/call.ts';
import { cachePreferences, readCachedPreferences } from './preference-cache.ts';

const KEY = ['notification-choices'] as const;

export function useChoices() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }): Promise<NewsChoices> => {
      const choices = await call('getNotificationChoices', { signal });
      cachePreferences(preferencesOf(choices));
      return choices;
    },
    staleTime: 60_000,
  });
}

/** The current preferences: the server's answer, or the browser's copy until it arrives. */
export function usePreferences(): NotificationPreferences {
  const { data } = useChoices();
  return data === undefined ? readCachedPreferences() : preferencesOf(data);
}

/** Saves one choice. Shown at once; put back when the service did not take it. */
export function useChoose() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ news, channel, isOn }: Choice) =>
      call('changeNotificationChoices', { body: { choices: [{ news, channel, is_on: isOn }] } }),
    onMutate: async ({ news, channel, isOn }) => {
      await cache.cancelQueries({ queryKey: KEY });
      const before = cache.getQueryData<NewsChoices>(KEY);
      if (before !== undefined)
        cache.setQueryData(KEY, { ...before, [news]: { ...before[news], [channel]: isOn } });
      return before;
    },
    onSuccess: (saved) => {
      cache.setQueryData(KEY, saved);
      cachePreferences(preferencesOf(saved));
    },
    onError: (_error, _choice, before) => {
      cache.setQueryData(KEY, before);
      void cache.invalidateQueries({ queryKey: KEY });
    },
  });
}
