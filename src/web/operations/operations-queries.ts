import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBody } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import { haltedName } from '#rules/operations/kill-switch.ts';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { useSingleAttempt } from '../call/use-single-attempt.ts';
import { showToast } from '../kit/overlay/toast.ts';

const DESK_REFRESH_MS = 5_000;
const DESK_KEY = ['operations'] as const;
const HALT_KEY = ['trading-halt'] as const;

export function useOperationsDesk() {
  return useQuery({
    queryKey: DESK_KEY,
    queryFn: ({ signal }) => call('getOperationsDesk', { signal }),
    refetchInterval: DESK_REFRESH_MS,
  });
}

type NewKillSwitch = SentBody<EveryEndpoint['setKillSwitch']>;

/** The desk is also read again after a refusal: a colleague may have been faster, or a lost answer a success. */
export function useSetKillSwitch() {
  const refetch = useRefetch();
  const setOnce = useSingleAttempt((body: NewKillSwitch, idempotencyKey: string) =>
    call('setKillSwitch', { body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: setOnce,
    onSuccess: ({ scope, name }) =>
      showToast({ type: 'success', title: 'Trading is halted', message: `For ${haltedName(scope, name)}.` }),
    onSettled: refetch,
  });
}

export function useDeclineLiquidation(id: string) {
  const refetch = useRefetch();
  const declineOnce = useSingleAttempt((reason: string, idempotencyKey: string) =>
    call('declineLiquidation', { params: { id }, body: { reason }, idempotencyKey }),
  );
  return useMutation({
    mutationFn: declineOnce,
    onSuccess: () =>
      showToast({ type: 'success', title: 'Declined', message: 'The owner sees your reason.' }),
    onSettled: refetch,
  });
}

export function useDecideDeadLetter(id: string) {
  const refetch = useRefetch();
  const decideOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['decideDeadLetter']>, idempotencyKey: string) =>
      call('decideDeadLetter', { params: { id }, body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: (decision: 'retry' | 'discard') => decideOnce({ decision }),
    onSuccess: ({ decision }) =>
      showToast({
        type: 'success',
        title: decision === 'retry' ? 'The job is queued again' : 'The job is discarded',
      }),
    onSettled: refetch,
  });
}

/** The person's own halt of all that is theirs. */
export function useTradingHalt() {
  return useQuery({ queryKey: HALT_KEY, queryFn: ({ signal }) => call('getTradingHalt', { signal }) });
}

export function useHaltTrading() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (cancelsOrders: boolean) => call('haltTrading', { body: { cancels_orders: cancelsOrders } }),
    onSuccess: (halt) => {
      cache.setQueryData(HALT_KEY, halt);
      showToast({ type: 'success', title: 'All your trading is halted' });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['deployments'] }),
  });
}

export function useLiftTradingHalt() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call('liftTradingHalt'),
    onSuccess: (halt) => {
      cache.setQueryData(HALT_KEY, halt);
      showToast({ type: 'success', title: 'Your trading has resumed' });
    },
    onError: (error) =>
      showToast({
        type: 'error',
        title: 'The halt was not lifted',
        message: sentenceOf(error, 'Please try again. No orders are sent until then.'),
      }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['deployments'] }),
  });
}

export function useRefetch() {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: DESK_KEY });
}
