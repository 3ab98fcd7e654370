import { useMutation } from '@tanstack/react-query';
import type { SentBody } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import { call } from '../../call/call.ts';
import { useSingleAttempt } from '../../call/use-single-attempt.ts';
import { showToast } from '../../kit/overlay/toast.ts';
import { useRefetch } from '../operations-queries.ts';

export function useProposeCash() {
  const refetch = useRefetch();
  const proposeOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['proposeCash']>, idempotencyKey: string) =>
      call('proposeCash', { body, idempotencyKey }),
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

export function useDecideCash(id: string) {
  const refetch = useRefetch();
  const decideOnce = useSingleAttempt((body: SentBody<EveryEndpoint['decideCash']>, idempotencyKey: string) =>
    call('decideCash', { params: { id }, body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: decideOnce,
    onSuccess: ({ status }) =>
      showToast({
        type: 'success',
        title: status === 'declined' ? 'Declined' : 'Booked',
        message:
          status === 'declined'
            ? 'Nothing changes. You can propose something else.'
            : 'The cash is explained.',
      }),
    onSettled: refetch,
  });
}
