import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';
import { CallError } from '../call/call-error.ts';

const MINUTE_MS = 60_000;

export function useStrategies() {
  return useQuery({
    queryKey: ['strategies'],
    queryFn: ({ signal }) => call('listStrategies', { signal }),
    staleTime: MINUTE_MS,
  });
}

export const strategyKey = (id: string) => ['strategies', id] as const;

export function useStrategy(id: string) {
  return useQuery({
    queryKey: strategyKey(id),
    queryFn: ({ signal }) => call('getStrategy', { params: { id }, signal }),
    staleTime: MINUTE_MS,
  });
}

/** The passport: inputs, hashes and every measure of the newest result. */
export function useStrategyEvidence(id: string) {
  return useQuery({
    queryKey: ['strategies', id, 'evidence'],
    queryFn: ({ signal }) => call('getStrategyEvidence', { params: { id }, signal }),
    staleTime: MINUTE_MS,
  });
}

/** 'day' gives every point; 'week' is lighter, for small drawings. */
export function useStrategyPerformance(id: string | undefined, timeframe: 'day' | 'week') {
  return useQuery({
    queryKey: ['strategies', id, 'performance', timeframe],
    queryFn: ({ signal }) =>
      call('getStrategyPerformance', { params: { id: id ?? '' }, query: { timeframe }, signal }),
    enabled: id !== undefined,
    staleTime: MINUTE_MS,
  });
}

/** Named by the claim, so that one which replaces it is read anew. */
export function useStrategyClaim(id: string, claim: string) {
  return useQuery({
    queryKey: ['strategies', id, 'claim', claim],
    queryFn: ({ signal }) => call('getStrategyClaim', { params: { id }, signal }),
    staleTime: MINUTE_MS,
  });
}

export function isNotFound(error: unknown): boolean {
  return error instanceof CallError && error.status === 404;
}
