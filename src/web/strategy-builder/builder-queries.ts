import { useEffect } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BacktestJob } from '#contract/strategies/backtests.ts';
import type { SentBody } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { useSingleAttempt } from '../call/use-single-attempt.ts';
import { showToast } from '../kit/overlay/toast.ts';

export type BuildRequest = SentBody<EveryEndpoint['buildStrategy']>;
export type Parts = SentBody<EveryEndpoint['tuneStrategy']>['parts'];
export type Numbers = Readonly<Record<string, number>>;

const DRAFTS_KEY = ['drafts'] as const;
const jobsKey = (id: string) => ['drafts', id, 'backtests'] as const;
const MODEL_KEY = ['builder-model'] as const;
const wordsKey = (id: string) => ['drafts', id, 'words'] as const;
const RUNNING_REFRESH_MS = 500;

export function useBuilderInstruments() {
  return useQuery({
    queryKey: ['builder-instruments'],
    queryFn: ({ signal }) => call('listBuilderInstruments', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDrafts() {
  return useQuery({
    queryKey: DRAFTS_KEY,
    queryFn: ({ signal }) => call('listStrategyDrafts', { signal }),
  });
}

/** Newest first; asked again twice a second while one of them runs. */
export function useBacktests(id: string) {
  return useQuery({
    queryKey: jobsKey(id),
    queryFn: async ({ signal }) => (await call('listBacktests', { params: { id }, signal })).results,
    refetchInterval: (query) => (query.state.data?.some(isRunning) ? RUNNING_REFRESH_MS : false),
  });
}

/** The search whose rules the draft has, if it was found by one; reads the drafts again once a search has ended. */
export function useSearchOf(draft: StrategyDraft, jobs: readonly BacktestJob[] | undefined) {
  const cache = useQueryClient();
  const newest = jobs?.find(({ kind, status }) => kind === 'search' && status === 'done');
  const found = newest?.result?.search;
  const isNews =
    found !== undefined && found.version_id !== draft.version_id && newest?.version_id === draft.version_id;
  useEffect(() => {
    if (isNews) void cache.invalidateQueries({ queryKey: DRAFTS_KEY, exact: true });
  }, [cache, isNews]);
  return found?.version_id === draft.version_id ? found : undefined;
}

export function isRunning({ status }: BacktestJob): boolean {
  return status === 'queued' || status === 'running';
}

/** What a version's backtest found. `ledger` changes with each further try, which the evidence counts. */
export function useDraftResult({ id, version_id }: StrategyDraft, ledger: string, isTested = true) {
  return useQuery({
    queryKey: ['drafts', id, 'result', version_id, ledger],
    queryFn: ({ signal }) => call('getStrategy', { params: { id }, signal }),
    enabled: isTested,
    // Never that of an older version.
    placeholderData: (previous, before) => (before?.queryKey[3] === version_id ? previous : undefined),
  });
}

export function useDraftPerformance({ id, version_id }: StrategyDraft, isTested: boolean) {
  return useQuery({
    queryKey: ['drafts', id, 'performance', version_id],
    queryFn: ({ signal }) =>
      call('getStrategyPerformance', { params: { id }, query: { timeframe: 'day' }, signal }),
    enabled: isTested,
  });
}

/** What the newest attack on this version found; `ledger` changes when another one has ended. */
export function useAttack({ id, version_id }: StrategyDraft, ledger: string, isTested = true) {
  return useQuery({
    queryKey: ['drafts', id, 'attack', version_id, ledger],
    queryFn: ({ signal }) => call('getAttack', { params: { id }, signal }),
    enabled: isTested,
    // Never that of an older version.
    placeholderData: (previous, before) => (before?.queryKey[3] === version_id ? previous : undefined),
  });
}

/** Newest first, each with its newest result. */
export function useDraftVersions({ id, version_id }: StrategyDraft, ledger: string) {
  return useQuery({
    queryKey: ['drafts', id, 'versions', version_id, ledger],
    queryFn: ({ signal }) => call('listDraftVersions', { params: { id }, signal }),
  });
}

/** By the person's own name; what it opens is read again. */
export function useAcceptVerdict({ id }: StrategyDraft) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBody<EveryEndpoint['acceptVerdict']>) =>
      call('acceptVerdict', { params: { id }, body }),
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['drafts', id] }),
        cache.invalidateQueries({ queryKey: ['strategies', id] }),
      ]),
  });
}

export function useBuildStrategy() {
  const keep = useKeepDraft();
  const buildOnce = useSingleAttempt((body: BuildRequest, idempotencyKey: string) =>
    call('buildStrategy', { body, idempotencyKey }),
  );
  return useMutation({ mutationFn: buildOnce, onSuccess: ({ draft, backtest }) => keep(draft, backtest) });
}

/** Which language model reads, and what is spent of the day. */
export function useBuilderModel() {
  return useQuery({
    queryKey: MODEL_KEY,
    queryFn: ({ signal }) => call('getBuilderModel', { signal }),
  });
}

export function useReadByModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBody<EveryEndpoint['createBuilderReading']>) =>
      call('createBuilderReading', { body }),
    onSettled: () => cache.invalidateQueries({ queryKey: MODEL_KEY }),
  });
}

/** What was said about a draft, newest version first. */
export function useDraftWords(id: string) {
  return useQuery({
    queryKey: wordsKey(id),
    queryFn: ({ signal }) => call('listDraftWords', { params: { id }, signal }),
  });
}

/** The conversation goes on: a new version where it changes the rules. */
export function useReviseStrategy(id: string) {
  const keep = useKeepDraft();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBody<EveryEndpoint['reviseStrategy']>) =>
      call('reviseStrategy', { params: { id }, body }),
    onSuccess: ({ draft, backtest }) => {
      keep(draft, backtest);
      void cache.invalidateQueries({ queryKey: wordsKey(id) });
    },
  });
}

/** Other numbers or another name. */
export function useTuneStrategy(id: string) {
  const keep = useKeepDraft();
  return useMutation({
    mutationFn: (body: { values?: Numbers; parts?: Parts; name?: string; copy?: boolean }) =>
      call('tuneStrategy', { params: { id }, body: { ...body, values: body.values && { ...body.values } } }),
    onSuccess: ({ draft, backtest }) => keep(draft, backtest),
  });
}

export function useAskBacktest(id: string) {
  const keep = useKeepJob(id);
  return useMutation({
    mutationFn: (body: SentBody<EveryEndpoint['createBacktest']>) =>
      call('createBacktest', { params: { id }, body }),
    onSuccess: keep,
  });
}

export function useCancelBacktest(id: string) {
  const keep = useKeepJob(id);
  return useMutation({
    mutationFn: (job: string) => call('cancelBacktest', { params: { id: job } }),
    onSuccess: keep,
    onError: (error) =>
      showToast({
        title: 'The backtest was not cancelled',
        message: sentenceOf(error, 'Please try again.'),
        type: 'error',
      }),
  });
}

export function useRemoveDraft(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call('removeStrategy', { params: { id } }),
    onSuccess: () => {
      cache.setQueryData<StrategyDraft[]>(DRAFTS_KEY, (drafts) => drafts?.filter((one) => one.id !== id));
      cache.removeQueries({ queryKey: ['drafts', id] });
    },
  });
}

function useKeepDraft(): (draft: StrategyDraft, job: BacktestJob | null) => void {
  const cache = useQueryClient();
  return (draft, job) => {
    cache.setQueryData<StrategyDraft[]>(
      DRAFTS_KEY,
      (drafts) => drafts && [draft, ...drafts.filter(({ id }) => id !== draft.id)],
    );
    void cache.invalidateQueries({ queryKey: DRAFTS_KEY, exact: true });
    if (job) putJob(cache, job);
  };
}

function useKeepJob(id: string): (job: BacktestJob) => void {
  const cache = useQueryClient();
  return (job) => {
    putJob(cache, job);
    void cache.invalidateQueries({ queryKey: jobsKey(id) });
  };
}

function putJob(cache: ReturnType<typeof useQueryClient>, job: BacktestJob): void {
  cache.setQueryData<BacktestJob[]>(jobsKey(job.strategy_id), (jobs = []) => [
    job,
    ...jobs.filter(({ id }) => id !== job.id),
  ]);
}
