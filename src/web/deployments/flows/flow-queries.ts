import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Deployment } from '#contract/deployments.ts';
import type { FlowKind } from '#engine/execution/flows/flow.ts';
import { call } from '../../call/call.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { useSingleAttempt } from '../../call/use-single-attempt.ts';
import { showToast } from '../../kit/overlay/toast.ts';

const REFRESH_MS = 10_000;
const keyOf = (id: string) => ['deployments', id, 'flows'] as const;

/** What can move now: cash and prices change while a person thinks. */
export function useFlowTerms(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => call('listFlows', { params: { id }, signal }),
    select: ({ terms }) => terms,
    refetchInterval: REFRESH_MS,
  });
}

type Asked = { readonly kind: FlowKind; readonly amount: number };

export function useRequestFlow({ id, strategy_name: name }: Deployment) {
  const refetch = useRefetch();
  const askOnce = useSingleAttempt((body: Asked, idempotencyKey: string) =>
    call('requestFlow', { params: { id }, body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: askOnce,
    onSuccess: ({ kind }) =>
      showToast({
        title: kind === 'deposit' ? 'Money is being added' : 'Money is being withdrawn',
        message: name,
        type: 'success',
      }),
    onSettled: refetch,
  });
}

export function useCancelFlow(id: string) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (flow: string) => call('cancelFlow', { params: { id, flow } }),
    onSuccess: () => showToast({ title: 'Cancelled', message: 'No money has moved.', type: 'success' }),
    onError: (error) =>
      showToast({
        title: 'It was not cancelled',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
    onSettled: refetch,
  });
}

function useRefetch(): () => void {
  const cache = useQueryClient();
  return () => void cache.invalidateQueries({ queryKey: ['deployments'] });
}
