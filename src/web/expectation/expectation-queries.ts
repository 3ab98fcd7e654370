import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { showToast } from '../kit/overlay/toast.ts';

/** The range never changes, its comparison once a day: at the pace at which it may still be computed. */
const REFRESH_MS = 15_000;

export function useExpectedRange(id: string) {
  return useQuery({
    queryKey: ['deployments', id, 'expected-range'],
    queryFn: ({ signal }) => call('getExpectedRange', { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The screen shows what the service answers. */
export function useAcknowledgeTripwire(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call('acknowledgeTripwire', { params: { id } }),
    onSuccess: (deployment) => {
      cache.setQueryData(['deployments', id], deployment);
      void cache.invalidateQueries({ queryKey: ['deployments'], exact: true });
      void cache.invalidateQueries({ queryKey: ['deployments', id, 'expected-range'] });
      void cache.invalidateQueries({ queryKey: ['deployments', id, 'timeline'] });
      showToast({
        title: 'Acknowledged',
        message: `${deployment.strategy_name} follows its strategy in full again from the next decision.`,
        type: 'success',
      });
    },
    onError: (error) =>
      showToast({
        title: 'It was not acknowledged',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
  });
}
