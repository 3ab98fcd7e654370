import { useMutation, useQuery } from '@tanstack/react-query';
import type { SentBody } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import { call } from '../../call/call.ts';
import { useSingleAttempt } from '../../call/use-single-attempt.ts';
import { showToast } from '../../kit/overlay/toast.ts';
import { useRefetch } from '../operations-queries.ts';

/** A difference, or an execution that is held. */
export type Occasion =
  | { readonly difference: string }
  | { readonly account: string; readonly execution: string };

/** Requested each time: books and broker change. */
export function useAdjustmentChoices(occasion: Occasion) {
  return useQuery({
    queryKey: ['adjustment-choices', occasion],
    queryFn: ({ signal }) => call('getAdjustmentChoices', { query: occasion, signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

export function useProposeAdjustment() {
  const refetch = useRefetch();
  const proposeOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['proposeAdjustment']>, idempotencyKey: string) =>
      call('proposeAdjustment', { body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: proposeOnce,
    onSuccess: () =>
      showToast({
        type: 'success',
        title: 'Proposed',
        message: 'A second member of support must approve it.',
      }),
    onSettled: refetch,
  });
}

export function useDecideAdjustment(id: string) {
  const refetch = useRefetch();
  const decideOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['decideAdjustment']>, idempotencyKey: string) =>
      call('decideAdjustment', { params: { id }, body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: decideOnce,
    onSuccess: ({ status }) =>
      showToast({
        type: 'success',
        title: status === 'declined' ? 'Declined' : 'Approved',
        message:
          status === 'declined'
            ? 'Nothing changes. You can propose something else.'
            : 'The trader books it at the next check of the account.',
      }),
    onSettled: refetch,
  });
}
