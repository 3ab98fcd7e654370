import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Deployment } from '#contract/deployments.ts';
import { PROVIDER } from '../call/provider.ts';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { isLive } from '../call/live-state.ts';
import type { TimeRange } from '../kit/chart/scale/time-range.ts';
import { showToast } from '../kit/overlay/toast.ts';

/** Specification section 9: the detail page refreshes every 5000 ms. */
const DETAIL_REFRESH_MS = 5_000;
const LIST_REFRESH_MS = 15_000;
/** While the stream reports each change, reading everything again only covers what the stream missed. */
const LIVE_REFRESH_MS = 30_000;
const unlessLive = (ms: number) => () => (isLive() ? LIVE_REFRESH_MS : ms);

/** The newest orders, or closed trades, that a list of them holds. */
export const TRADES_MAX = 500;

export const DEPLOYMENTS_KEY = ['deployments'] as const;
export const deploymentKey = (id: string) => ['deployments', id] as const;
export const performanceKey = (id: string, timeframe: TimeRange) =>
  [...deploymentKey(id), 'performance', timeframe] as const;

export function useDeployments() {
  return useQuery({
    queryKey: DEPLOYMENTS_KEY,
    queryFn: ({ signal }) => call('listDeployments', { signal }),
    refetchInterval: unlessLive(LIST_REFRESH_MS),
  });
}

export function useDeployment(id: string) {
  return useQuery({
    queryKey: deploymentKey(id),
    queryFn: ({ signal }) => call('getDeployment', { params: { id }, signal }),
    refetchInterval: unlessLive(DETAIL_REFRESH_MS),
  });
}

/** Where it waits; others come and go without a change of it. */
export function useDeploymentPlace(id: string) {
  return useQuery({
    queryKey: [...deploymentKey(id), 'place'],
    queryFn: ({ signal }) => call('getDeploymentPlace', { params: { id }, signal }),
    refetchInterval: DETAIL_REFRESH_MS,
  });
}

/** Always polled: the stream of one deployment says nothing of the other. */
export function useShadowComparison(id: string) {
  return useQuery({
    queryKey: [...deploymentKey(id), 'shadow'],
    queryFn: ({ signal }) => call('compareShadow', { params: { id }, signal }),
    refetchInterval: DETAIL_REFRESH_MS,
  });
}

/** Always polled at this pace: the stream reports fills, not newly placed orders. */
export function useDeploymentTrades(id: string) {
  return useQuery({
    queryKey: [...deploymentKey(id), 'trades'],
    queryFn: ({ signal }) =>
      call('listDeploymentTrades', { params: { id }, query: { limit: TRADES_MAX }, signal }),
    refetchInterval: DETAIL_REFRESH_MS,
  });
}

/** At the pace of the detail page. */
export function useClosedTrades(id: string) {
  return useQuery({
    queryKey: [...deploymentKey(id), 'closed-trades'],
    queryFn: ({ signal }) =>
      call('listClosedTrades', { params: { id }, query: { limit: TRADES_MAX }, signal }),
    refetchInterval: unlessLive(DETAIL_REFRESH_MS),
  });
}

const CASH_PAGE = 20;

/** Newest first, a page at a time; the pages read so far are read again together. */
export function useDeploymentCash(id: string) {
  return useInfiniteQuery({
    queryKey: [...deploymentKey(id), 'cash'],
    queryFn: ({ pageParam, signal }) =>
      call('listDeploymentCash', {
        params: { id },
        query: { limit: CASH_PAGE, ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => (next === null ? null : Number(next)),
    refetchInterval: unlessLive(DETAIL_REFRESH_MS),
  });
}

/** The last range stays on screen until the next one is there. */
export function useDeploymentPerformance(id: string, timeframe: TimeRange) {
  return useQuery({
    queryKey: performanceKey(id, timeframe),
    queryFn: ({ signal }) =>
      call('getDeploymentPerformance', { params: { id }, query: { timeframe }, signal }),
    refetchInterval: DETAIL_REFRESH_MS,
    placeholderData: (previous) => previous,
  });
}

const COMMANDS = {
  pause: { call: 'pauseDeployment', done: 'Trading paused', failed: 'Trading was not paused' },
  resume: { call: 'resumeDeployment', done: 'Trading resumed', failed: 'Trading was not resumed' },
  stop: { call: 'stopDeployment', done: 'Stopping', failed: 'The deployment was not stopped' },
} as const;

type DeploymentCommand = keyof typeof COMMANDS;

/** Pause, resume or stop. The screen shows what the service answers, never what was hoped for. */
export function useDeploymentCommand(id: string, command: DeploymentCommand) {
  const cache = useQueryClient();
  const keep = useKeepDeployment(id);
  const words = COMMANDS[command];
  return useMutation({
    mutationFn: () => call(words.call, { params: { id } }),
    onSuccess: (deployment) => {
      keep(deployment);
      showToast({ title: words.done, message: deployment.strategy_name, type: 'success' });
    },
    onError: (error) => {
      showToast({ title: words.failed, message: sentenceOf(error, 'Please try again.'), type: 'error' });
      // An answer that was lost may have been a yes.
      void cache.invalidateQueries({ queryKey: deploymentKey(id), exact: true });
    },
  });
}

/** Asks support; nothing is sold until it approves (specification, section 4). */
export function useRequestLiquidation(id: string) {
  const keep = useKeepDeployment(id);
  return useMutation({
    mutationFn: () => call('liquidateDeployment', { params: { id } }),
    onSuccess: (deployment) => {
      keep(deployment);
      showToast({
        title: 'Approval Required',
        message: `Approval is needed to liquidate ${deployment.strategy_name}. Your request is recorded; contact support at ${PROVIDER.contactEmail} with any questions.`,
        type: 'warning',
      });
    },
    onError: (error) =>
      showToast({
        title: 'The request was not recorded',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
  });
}

export function useWithdrawLiquidation(id: string) {
  const keep = useKeepDeployment(id);
  return useMutation({
    mutationFn: () => call('withdrawLiquidation', { params: { id } }),
    onSuccess: (deployment) => {
      keep(deployment);
      showToast({ title: 'Request withdrawn', message: 'Trading goes on as before.', type: 'success' });
    },
    onError: (error) =>
      showToast({
        title: 'The request was not withdrawn',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
  });
}

type DeploymentSettingsChange = {
  disconnect_choice?: Deployment['disconnect_choice'];
  disconnect_minutes?: number;
  tripwire_choice?: Deployment['tripwire_choice'];
  stop_loss_percentage?: number;
  max_allocation_per_trade?: number;
  freeze_on_drawdown?: number;
};

export function useChangeSettings(id: string) {
  const keep = useKeepDeployment(id);
  return useMutation({
    mutationFn: (change: DeploymentSettingsChange) =>
      call('changeDeploymentSettings', { params: { id }, body: change }),
    onSuccess: (deployment) => {
      keep(deployment);
      showToast({ title: 'Settings saved', message: deployment.strategy_name, type: 'success' });
    },
  });
}

function useKeepDeployment(id: string): (deployment: Deployment) => void {
  const cache = useQueryClient();
  return (deployment) => {
    cache.setQueryData(deploymentKey(id), deployment);
    void cache.invalidateQueries({ queryKey: DEPLOYMENTS_KEY, exact: true });
  };
}
