import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../call/call.ts';
import type { NewsAddress } from '#contract/news.ts';
import { forgetThisBrowser, stateOfThisBrowser, subscribeThisBrowser } from './this-browser.ts';

const KEY = ['news-outside'] as const;

/** Read again while somebody links a chat: that happens elsewhere. */
export function useNewsOutside({ refetchMs }: { refetchMs?: number } = {}) {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('getNewsOutside', { signal }),
    ...(refetchMs !== undefined && { refetchInterval: refetchMs }),
  });
}

export function useThisBrowser(addresses: readonly NewsAddress[]) {
  const ids = addresses.map(({ id }) => id);
  return useQuery({
    queryKey: [...KEY, 'this browser', ...ids],
    queryFn: () => stateOfThisBrowser(addresses),
  });
}

/** Read again while the list is open: a test is answered within seconds. */
export function useNewsDeliveries() {
  return useQuery({
    queryKey: [...KEY, 'deliveries'],
    queryFn: ({ signal }) => call('listNewsDeliveries', { signal }),
    refetchInterval: 5_000,
  });
}

function useAct<Input, Result>(act: (input: Input) => Promise<Result>) {
  const cache = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: () => cache.invalidateQueries({ queryKey: KEY }) });
}

export const useAddBrowser = () =>
  useAct((publicKey: string) => subscribeThisBrowser(publicKey, (body) => call('addBrowser', { body })));

export const useLinkTelegram = () => useAct(() => call('linkTelegram'));

export const useRemoveAddress = () =>
  useAct(async (id: string) => {
    await call('removeNewsAddress', { params: { id } });
    await forgetThisBrowser(id);
  });

export const useTestAddress = () => useAct((id: string) => call('testNewsAddress', { params: { id } }));
