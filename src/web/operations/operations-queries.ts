import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBody } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import type { KillSwitch } from '#contract/operations/kill-switch.ts';
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

export function useLiftKillSwitch({ id, scope, name }: KillSwitch) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: () => call('liftKillSwitch', { params: { id } }),
    onSuccess: () =>
      showToast({ type: 'success', title: 'Trading resumed', message: `For ${haltedName(scope, name)}.` }),
    onSettled: refetch,
  });
}

export function useWidenKillSwitch({ id }: KillSwitch) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: () => call('widenKillSwitch', { params: { id } }),
    onSuccess: () => showToast({ type: 'success', title: 'Open orders at the brokers are being cancelled' }),
    onSettled: refetch,
  });
}

export function useResolveOrder(id: string) {
  const refetch = useRefetch();
  const resolveOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['resolveOrder']>, idempotencyKey: string) =>
      call('resolveOrder', { params: { id }, body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: resolveOnce,
    onSuccess: ({ symbol }) =>
      showToast({
        type: 'success',
        title: 'Decided',
        message: `The trader applies it to ${symbol} at its next check of the broker.`,
      }),
    onSettled: refetch,
  });
}

export function useDecideLiquidation(id: string) {
  const refetch = useRefetch();
  const decideOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['decideLiquidation']>, idempotencyKey: string) =>
      call('decideLiquidation', { params: { id }, body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: decideOnce,
    onSuccess: ({ decision }) =>
      showToast({
        type: 'success',
        title: decision === 'approve' ? 'Approved' : 'Declined',
        message: decision === 'approve' ? 'The trader sells all positions.' : 'The owner sees your reason.',
      }),
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
