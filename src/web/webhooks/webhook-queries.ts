import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookNews } from '#rules/webhooks/webhook-terms.ts';
import { call } from '../call/call.ts';

const KEY = ['webhooks'] as const;
const REFRESH_MS = 5_000;

export function useWebhooks() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => call('listWebhooks', { signal }) });
}

/** Read again while the page is open: a test is answered within seconds. */
export function useDeliveries(id: string) {
  return useQuery({
    queryKey: [...KEY, id, 'deliveries'],
    queryFn: ({ signal }) => call('listWebhookDeliveries', { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

function useAct<Input, Result>(act: (input: Input) => Promise<Result>) {
  const cache = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: () => cache.invalidateQueries({ queryKey: KEY }) });
}

export const useCreateWebhook = () =>
  useAct((body: { url: string; news: WebhookNews[] }) => call('createWebhook', { body }));

export const useChangeWebhook = (id: string) =>
  useAct((body: { news?: WebhookNews[]; is_on?: boolean }) =>
    call('changeWebhook', { params: { id }, body }),
  );

export const useRemoveWebhook = (id: string) => useAct(() => call('removeWebhook', { params: { id } }));

export const useRotateSecret = (id: string) => useAct(() => call('rotateWebhookSecret', { params: { id } }));

export const useTestWebhook = (id: string) => useAct(() => call('testWebhook', { params: { id } }));
