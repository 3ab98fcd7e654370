import { z } from 'zod';
import { ATTACK_VERDICTS, ATTACKS } from '#engine/evidence/attack/attack-result.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { backtestResults } from './strategies.ts';

/** What a person asks for by itself; the builder begins a search. */
const ASKED_KINDS = ['backtest', 'sweep', 'attack'] as const;
const BACKTEST_KINDS = [...ASKED_KINDS, 'search'] as const;
const BACKTEST_STATUSES = ['queued', 'running', 'done', 'cancelled', 'failed'] as const;

/** How many combinations of values one sweep may try. */
export const SWEEP_SETS_MAX = 500;
/** How many jobs of one person may wait for their turn; one more runs. */
export const BACKTESTS_QUEUED_MAX = 4;

const number = z.number().nullable();

const sweepRun = z
  .object({
    /** The changed numbers, by their place in the definition. */
    parameters: z.record(z.string(), z.number()),
    /** Percent. */
    total_return: number,
    /** Percent. */
    annual_return: number,
    sharpe: number,
    /** Percent, positive. */
    max_drawdown: number,
    trades: z.number().int(),
    /** Why this set could not be run; its figures are then null. */
    failure: z.string().optional(),
  })
  .meta({ id: 'SweepRun' });

export type SweepRun = z.infer<typeof sweepRun>;

const sweep = z
  .object({
    /** In the order of the requested values, the last parameter changing fastest. */
    runs: z.array(sweepRun),
    /** The index in runs of the highest Sharpe ratio; -1 when no run gave one. */
    best: z.number().int(),
    /** Of the best, against the luck of all tries of the family. */
    deflated_sharpe: number,
    /** Probability of overfitting by cross-validation over the runs; null where the history is too short for it. */
    pbo: number,
  })
  .meta({ id: 'SweepResult' });

const search = z
  .object({
    /** What came of it, in words. */
    sentence: z.string(),
    /** Percent. */
    max_drawdown: z.number(),
    /** Percent a year. */
    target_return: z.number(),
    /** Each set of rules that was tried, in order; figures are null where it could not be measured. */
    tried: z.array(
      z.object({
        name: z.string(),
        annual_return: number,
        max_drawdown: number,
        sharpe: number,
        /** Both wishes, in the past. */
        is_met: z.boolean(),
      }),
    ),
    /** The index in tried of the rules that the draft has now; -1 without any. */
    chosen: z.number().int(),
    /** The version of the draft that has them. */
    version_id: z.string(),
  })
  .meta({ id: 'SearchResult' });

export type SearchResult = z.infer<typeof search>;

const backtestResult = z
  .object({
    /** Percent unless said otherwise, as of a strategy: of the run, or of the best run of a sweep; null of an attack. */
    measures: backtestResults.nullable(),
    /** First and last day measured. A sweep reads only days up to the version's commit. */
    first_date: z.string().nullable(),
    last_date: z.string().nullable(),
    /** All tries that count against these figures, over all drafts, including these. */
    trials: z.number().int(),
    sweep: sweep.optional(),
    /** Of a search: the measures above are those of the chosen rules. */
    search: search.optional(),
  })
  .meta({ id: 'BacktestResult' });

export type BacktestResult = z.infer<typeof backtestResult>;

export const backtestJob = z
  .object({
    id: z.string(),
    strategy_id: z.string(),
    version_id: z.string(),
    kind: z.enum(BACKTEST_KINDS),
    status: z.enum(BACKTEST_STATUSES),
    /** From 0 to 1. */
    progress: z.number(),
    /** What it is doing, or why it ended without a result. */
    message: z.string().nullable(),
    /** Of a backtest that runs: its equity so far, in dollars; null before and after, and of any other kind. */
    partial: z.object({ labels: z.array(z.string()), data: z.array(z.number()) }).nullable(),
    created_at: z.string(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    result: backtestResult.nullable(),
  })
  .meta({ id: 'BacktestJob' });

export type BacktestJob = z.infer<typeof backtestJob>;

const parameter = z.strictObject({
  /** The place of a number in the definition, such as features.fast.length. */
  path: z.string('Name a parameter').min(1, 'Name a parameter').max(200),
  values: z
    .array(z.number('Must be numbers'))
    .min(1, 'At least one value')
    .max(100, 'At most 100 values')
    .refine((values) => new Set(values).size === values.length, 'List each value once'),
});

const createBody = z
  .strictObject({
    kind: z.enum(ASKED_KINDS, `Choose one of ${ASKED_KINDS.join(', ')}`),
    parameters: z
      .array(parameter)
      .max(6, 'At most 6 parameters at once')
      .refine(
        (given) => new Set(given.map(({ path }) => path)).size === given.length,
        'List each parameter once',
      )
      .optional(),
  })
  .meta({ id: 'CreateBacktest' });

export type CreateBacktest = z.output<typeof createBody>;

const attackFinding = z
  .object({
    code: z.enum(ATTACKS),
    name: z.string(),
    question: z.string(),
    outcome: z.enum(['survived', 'failed', 'not_run']),
    /** It survives above the threshold; both null where it could not be run. */
    figure: number,
    threshold: number,
    /** probability and percent: of 1. ratio: a yearly Sharpe ratio. */
    unit: z.enum(['probability', 'percent', 'ratio']),
    /** The outcome in words, or why it could not be run. */
    sentence: z.string(),
  })
  .meta({ id: 'AttackFinding' });

export const attack = z
  .object({
    /**
     * withstood: no attack that could be run has beaten it. doubtful: one of the milder ones has. do_not_deploy: more, or one of
     * the others. not_judged: too few could be run.
     */
    verdict: z.enum(ATTACK_VERDICTS),
    word: z.string(),
    sentence: z.string(),
    /** Trading clock. */
    at: z.string(),
    version_id: z.string(),
    definition_hash: z.string(),
    data_hash: z.string(),
    /** Tries that counted then. */
    trials: z.number().int(),
    findings: z.array(attackFinding),
    /** When you accepted the verdict by name; null where you have not. */
    accepted_at: z.string().nullable(),
  })
  .meta({ id: 'Attack' });

export type ShownAttack = z.infer<typeof attack>;

const room = { room: 'backtests', security: 'bearer', params: idParams } as const;

export const backtestsEndpoints = {
  createBacktest: endpoint(ROUTES.createBacktest, {
    ...room,
    summary:
      'Backtest the newest version of your own strategy, sweep its parameters or attack it; runs in the background',
    body: createBody,
    description:
      'A backtest replaces the result of the version. A sweep runs every combination of the values on the days before the version was committed. Each run counts as a try. An attack tries to break the result of the version, which must exist; only the neighbours of its numbers count as tries. One job runs per person at a time; four more may be queued.',
    status: 202,
    answer: backtestJob,
    refusals: ['not_found', 'definition_invalid', 'out_of_range'],
    idempotent: true,
  }),
  listBacktests: endpoint(ROUTES.listBacktests, {
    ...room,
    summary: 'Backtests of your own strategy, newest first',
    description: 'The last hundred, with their results.',
    status: 200,
    answer: z.object({ results: z.array(backtestJob) }),
    refusals: ['not_found'],
  }),
  getAttack: endpoint(ROUTES.getAttack, {
    ...room,
    summary: 'What the newest attack on your own strategy found',
    description:
      'Of its newest version: the verdict, and what each attack found with its threshold. Null as long as nobody has asked for one.',
    status: 200,
    answer: z.object({ attack: attack.nullable() }),
    refusals: ['not_found'],
  }),
  acceptVerdict: endpoint(ROUTES.acceptVerdict, {
    ...room,
    summary: 'Accept by your name what the newest attack found, to deploy money or publish all the same',
    description:
      'The verdict is the one that you read: another one in the meantime is refused. The name is the one of your account. A verdict of withstood needs no acceptance.',
    body: z
      .strictObject({
        verdict: z.enum(ATTACK_VERDICTS),
        name: z.string().trim().min(2, 'Write your name').max(200, 'At most 200 characters'),
      })
      .meta({ id: 'AcceptVerdictRequest' }),
    status: 200,
    answer: z.object({ attack }),
    refusals: ['not_found', 'illegal_move', 'out_of_range'],
  }),
  getBacktest: endpoint(ROUTES.getBacktest, {
    ...room,
    summary: 'Progress of a backtest, and its result once done',
    description: 'Poll while the status is queued or running.',
    status: 200,
    answer: backtestJob,
    refusals: ['not_found'],
  }),
  cancelBacktest: endpoint(ROUTES.cancelBacktest, {
    ...room,
    summary: 'Cancel a backtest within a second; a finished one does not change',
    description: 'A queued backtest is cancelled at once. Completed runs still count as tries.',
    status: 202,
    answer: backtestJob,
    refusals: ['not_found'],
  }),
} as const;
