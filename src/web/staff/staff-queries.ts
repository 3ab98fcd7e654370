import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import type { SentBody } from '#contract/http/endpoint.ts';
import { call } from '../call/call.ts';
import { useSingleAttempt } from '../call/use-single-attempt.ts';
import { showToast } from '../kit/overlay/toast.ts';

const STAFF_KEY = ['staff'] as const;

export function useStaff() {
  return useQuery({ queryKey: STAFF_KEY, queryFn: ({ signal }) => call('listStaff', { signal }) });
}

export function useInvite() {
  const refetch = useRefetch();
  const inviteOnce = useSingleAttempt(
    (body: SentBody<EveryEndpoint['inviteStaff']>, idempotencyKey: string) =>
      call('inviteStaff', { body, idempotencyKey }),
  );
  return useMutation({
    mutationFn: inviteOnce,
    onSuccess: ({ email }) =>
      showToast({ type: 'success', title: 'Invited', message: `A link is on its way to ${email}.` }),
    onSettled: refetch,
  });
}

export function useWithdrawInvitation() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (id: string) => call('withdrawInvitation', { params: { id } }),
    onSuccess: () => showToast({ type: 'success', title: 'Withdrawn', message: 'The link no longer works.' }),
    onSettled: refetch,
  });
}

export type StaffChange = 'takeStaffRole' | 'disableAccount' | 'enableAccount';

export function useChangeStaff(id: string) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (change: StaffChange) => call(change, { params: { id } }),
    onSuccess: (_nothing, change) => showToast({ type: 'success', title: DONE[change] }),
    onSettled: refetch,
  });
}

const DONE: Readonly<Record<StaffChange, string>> = {
  takeStaffRole: 'The role is taken away',
  disableAccount: 'The account is disabled',
  enableAccount: 'The account is enabled',
};

function useRefetch() {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: STAFF_KEY });
}
