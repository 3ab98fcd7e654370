import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';

const KEY = ['fee-bills'] as const;

type FeeBillsAsked = { readonly deployment?: string; readonly limit?: number };

/** Own bills, newest first. */
export function useFeeBills(asked: FeeBillsAsked) {
  return useQuery({
    queryKey: [...KEY, asked],
    queryFn: ({ signal }) => call('listFeeBills', { query: asked, signal }),
  });
}

export function useFeeBill(id: string) {
  return useQuery({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) => call('getFeeBill', { params: { id }, signal }),
  });
}

/** Of a running deployment of real money. */
export function useFeeAccrual(deploymentId: string) {
  return useQuery({
    queryKey: [...KEY, 'accrual', deploymentId],
    queryFn: ({ signal }) => call('getFeeAccrual', { params: { id: deploymentId }, signal }),
    refetchInterval: ACCRUAL_REFRESH_MS,
  });
}

const ACCRUAL_REFRESH_MS = 15_000;
