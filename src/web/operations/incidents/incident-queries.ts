import { useMutation } from '@tanstack/react-query';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import type { SentBody } from '#contract/http/endpoint.ts';
import { call } from '../../call/call.ts';
import { showToast } from '../../kit/overlay/toast.ts';
import { useRefetch } from '../operations-queries.ts';

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
