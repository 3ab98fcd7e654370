import { useMutation } from '@tanstack/react-query';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import type { SentBody } from '#contract/http/endpoint.ts';
import type { Proposal } from '#contract/operations/proposal.ts';
import { isIncidentAction } from '#rules/operations/proposal-action.ts';
import { call } from '../../call/call.ts';
import { useSingleAttempt } from '../../call/use-single-attempt.ts';
import { showToast } from '../../kit/overlay/toast.ts';
import { useRefetch } from '../operations-queries.ts';

export function usePropose() {
  const refetch = useRefetch();
  const proposeOnce = useSingleAttempt((body: SentBody<EveryEndpoint['propose']>, idempotencyKey: string) =>
    call('propose', { body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: proposeOnce,
    onSuccess: () =>
      showToast({ type: 'success', title: 'Proposed', message: 'A second person must approve it.' }),
    onSettled: refetch,
  });
}

export function useDecideProposal({ id }: Proposal) {
  const refetch = useRefetch();
  const decideOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['decideProposal']>, idempotencyKey: string) =>
      call('decideProposal', { params: { id }, body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: decideOnce,
    onSuccess: ({ status, action }) =>
      showToast({
        type: 'success',
        title: status === 'declined' ? 'Declined' : 'Approved',
        message:
          status === 'declined' ? 'Nothing changes. You can propose something else.' : followsFrom(action),
      }),
    onSettled: refetch,
  });
}

function followsFrom(action: Proposal['action']): string {
  if (action === 'lift_halt') return 'Trading continues from its next decision.';
  if (action === 'explain_cash') return 'The cash is explained.';
  return isIncidentAction(action) || action === 'resolve_order'
    ? 'The trader carries it out at its next look.'
    : 'It counts from now on.';
}
