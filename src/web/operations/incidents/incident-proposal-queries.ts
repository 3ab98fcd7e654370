import { useMutation } from '@tanstack/react-query';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import type { SentBody } from '#contract/http/endpoint.ts';
import { call } from '../../call/call.ts';
import { useSingleAttempt } from '../../call/use-single-attempt.ts';
import { showToast } from '../../kit/overlay/toast.ts';
import { useRefetch } from '../operations-queries.ts';

export function useProposeForIncident() {
  const refetch = useRefetch();
  const proposeOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['proposeForIncident']>, idempotencyKey: string) =>
      call('proposeForIncident', { body, idempotencyKey }),
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

export function useDecideForIncident(id: string) {
  const refetch = useRefetch();
  const decideOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['decideForIncident']>, idempotencyKey: string) =>
      call('decideForIncident', { params: { id }, body, idempotencyKey }),
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
            : 'The trader carries it out at its next look.',
      }),
    onSettled: refetch,
  });
}

export function useRetryStop() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (body: SentBody<EveryEndpoint['retryStop']>) => call('retryStop', { body }),
    onSuccess: () =>
      showToast({
        type: 'success',
        title: 'The stop is tried again',
        message: 'It leaves at the next look, while its exchange is open.',
      }),
    onSettled: refetch,
  });
}

export function useNoteIncident(id: string) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (body: SentBody<EveryEndpoint['noteIncident']>) =>
      call('noteIncident', { params: { id }, body }),
    onSuccess: () => showToast({ type: 'success', title: 'Noted', message: 'The incident stays open.' }),
    onSettled: refetch,
  });
}

export function useLookAgain(id: string) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (body: SentBody<EveryEndpoint['lookAgain']>) => call('lookAgain', { params: { id }, body }),
    onSuccess: () =>
      showToast({ type: 'success', title: 'We look again', message: 'It ends if nothing is seen.' }),
    onSettled: refetch,
  });
}
