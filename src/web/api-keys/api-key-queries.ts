import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBody } from '#contract/http/endpoint.ts';
import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import { call } from '../call/call.ts';

const KEYS = ['api-keys'] as const;
const ACTS = ['key-acts'] as const;

export function useApiKeys() {
  return useQuery({ queryKey: KEYS, queryFn: ({ signal }) => call('listApiKeys', { signal }) });
}

/** What keys did and ask for; the newest first. */
export function useKeyActs() {
  return useQuery({ queryKey: ACTS, queryFn: ({ signal }) => call('listKeyActs', { query: {}, signal }) });
}

/** To choose which a new key may control. */
export function useOwnDeployments() {
  return useQuery({
    queryKey: ['deployments', 'for a key'],
    queryFn: ({ signal }) => call('listDeployments', { signal }),
  });
}

export type NewKey = SentBody<typeof apiKeysEndpoints.createApiKey>;

export function useCreateKey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: NewKey) => call('createApiKey', { body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: KEYS }),
  });
}

export function useRevokeKey(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call('revokeApiKey', { params: { id } }),
    onSuccess: () =>
      Promise.all([cache.invalidateQueries({ queryKey: KEYS }), cache.invalidateQueries({ queryKey: ACTS })]),
  });
}

/** A tap decides once; whatever came of it is read again. */
export function useDecideAct(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (verdict: 'accept' | 'decline') =>
      verdict === 'accept'
        ? call('acceptKeyAct', { params: { id } })
        : call('declineKeyAct', { params: { id } }),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: KEYS }),
        cache.invalidateQueries({ queryKey: ACTS }),
        cache.invalidateQueries({ queryKey: ['deployments'] }),
      ]),
  });
}
