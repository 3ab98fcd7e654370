import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Billing } from '#contract/billing.ts';
import type { PlanId, PlanInterval } from '#rules/billing/plans.ts';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { useSingleAttempt } from '../call/use-single-attempt.ts';
import { showToast } from '../kit/overlay/toast.ts';

const BILLING_KEY = ['billing'] as const;
const PAYMENTS_KEY = ['payments'] as const;

export type PlanChoice = { readonly plan: PlanId; readonly interval: PlanInterval };

export function usePlans() {
  return useQuery({ queryKey: ['plans'], queryFn: ({ signal }) => call('listPlans', { signal }) });
}

export function useBilling(options: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: BILLING_KEY,
    queryFn: ({ signal }) => call('getBilling', { signal }),
    ...options,
  });
}

/** Whether the plan became this one while its payer confirmed the payment elsewhere. */
export function useChosenMeanwhile({ plan, interval }: PlanChoice, waits: boolean): boolean {
  const billing = useQuery({
    queryKey: [...BILLING_KEY, 'waiting'],
    queryFn: ({ signal }) => call('getBilling', { signal }),
    enabled: waits,
    refetchInterval: WAITING_REFRESH_MS,
  });
  const { subscription } = billing.data ?? {};
  return waits && subscription?.plan === plan && subscription.interval === interval;
}

const WAITING_REFRESH_MS = 3_000;

/** What the choice costs now. Refused, with a sentence, where it cannot be chosen. */
export function usePlanQuote(choice: PlanChoice) {
  return useQuery({
    queryKey: [...BILLING_KEY, 'quote', choice],
    queryFn: ({ signal }) => call('quotePlan', { query: choice, signal }),
    retry: false,
  });
}

export function usePayments() {
  return useQuery({ queryKey: PAYMENTS_KEY, queryFn: ({ signal }) => call('listPayments', { signal }) });
}

export function usePayment(id: string) {
  return useQuery({
    queryKey: [...PAYMENTS_KEY, id],
    queryFn: ({ signal }) => call('getPayment', { params: { id }, signal }),
  });
}

export function useChoosePlan() {
  const keep = useKeepBilling();
  const chooseOnce = useSingleAttempt((choice: PlanChoice, idempotencyKey: string) =>
    call('choosePlan', { body: choice, idempotencyKey }),
  );
  return useMutation({
    mutationFn: chooseOnce,
    onSuccess: ({ billing }) => keep(billing),
  });
}

/** Ends the plan with its period, or takes that back. */
export function useEndPlan(change: 'cancelPlan' | 'keepPlan') {
  const keep = useKeepBilling();
  return useMutation({
    mutationFn: () => call(change),
    onSuccess: (billing) => {
      keep(billing);
      showToast({ title: change === 'cancelPlan' ? 'Plan cancelled' : 'Plan kept', type: 'success' });
    },
    onError: (error) =>
      showToast({
        title: 'The plan was not changed',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
  });
}

function useKeepBilling(): (billing: Billing) => void {
  const cache = useQueryClient();
  return (billing) => {
    cache.setQueryData(BILLING_KEY, billing);
    void cache.invalidateQueries({ queryKey: PAYMENTS_KEY });
    cache.removeQueries({ queryKey: [...BILLING_KEY, 'quote'] });
  };
}
