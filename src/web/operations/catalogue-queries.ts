import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import type { SentBody } from '#contract/http/endpoint.ts';
import { call } from '../call/call.ts';

const REFRESH_MS = 15_000;

/** Under the key of the desk, so that a proposal or a decision reads it again. */
const CATALOGUE = ['operations', 'catalogue'] as const;
const strategyKey = (id: string) => [...CATALOGUE, id] as const;

export function useCatalogue() {
  return useQuery({
    queryKey: CATALOGUE,
    queryFn: ({ signal }) => call('listCatalogue', { signal }),
    refetchInterval: REFRESH_MS,
  });
}

export function useCatalogueStrategy(id: string) {
  return useQuery({
    queryKey: strategyKey(id),
    queryFn: ({ signal }) => call('getCatalogueStrategy', { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** Null takes the limit away. */
export function useSetCapacityLimit(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (limit: number | null) => call('setCapacityLimit', { params: { id }, body: { limit } }),
    onSuccess: (strategy) => cache.setQueryData(strategyKey(id), strategy),
  });
}

/** A draft of one's own, with the rules of the published version. */
export function useWriteNextVersion(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call('writeNextVersion', { params: { id } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['drafts'], exact: true }),
  });
}

export function useImportClaim(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBody<EveryEndpoint['importClaim']>) =>
      call('importClaim', { params: { id }, body }),
    onSuccess: (strategy) => cache.setQueryData(strategyKey(id), strategy),
  });
}

export function useWithdrawClaim(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call('withdrawClaim', { params: { id } }),
    onSuccess: (strategy) => cache.setQueryData(strategyKey(id), strategy),
  });
}
