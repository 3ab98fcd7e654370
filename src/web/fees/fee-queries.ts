import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FeePayment } from '#contract/fees.ts';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { showToast } from '../kit/overlay/toast.ts';

const KEY = ['fee-bills'] as const;

type FeeBillsAsked = { readonly deployment?: string; readonly limit?: number };

export const feeBillsKey = (asked: FeeBillsAsked) => [...KEY, asked] as const;

/** Own bills, newest first. */
export function useFeeBills(asked: FeeBillsAsked) {
  return useQuery({
    queryKey: feeBillsKey(asked),
    queryFn: ({ signal }) => call('listFeeBills', { query: asked, signal }),
  });
}

export function useFeeBill(id: string) {
  return useQuery({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) => call('getFeeBill', { params: { id }, signal }),
    // It may be paid elsewhere: automatically, or on a page of the payment service.
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'due' || data?.state === 'overdue' ? OPEN_REFRESH_MS : false,
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

const OPEN_REFRESH_MS = 5_000;
const ACCRUAL_REFRESH_MS = 15_000;

const PAYMENT_KEY = ['fee-payment'] as const;

/** How the bills are paid. */
export function useFeePayment() {
  return useQuery({
    queryKey: PAYMENT_KEY,
    queryFn: ({ signal }) => call('getFeePayment', { signal }),
  });
}

export function useChangeFeePayment() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (automatic: boolean) => call('changeFeePayment', { body: { automatic } }),
    onSuccess: (payment: FeePayment) => cache.setQueryData(PAYMENT_KEY, payment),
    onError: (error) =>
      showToast({
        title: 'The payment of your bills was not changed',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
  });
}

export function usePayFeeBill(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call('payFeeBill', { params: { id } }),
    onSuccess: async ({ payment_page: page }) => {
      await cache.invalidateQueries({ queryKey: KEY });
      if (page === null) showToast({ title: 'Bill paid', type: 'success' });
    },
    onError: (error) =>
      showToast({
        title: 'The bill was not paid',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
  });
}
