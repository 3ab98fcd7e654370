// Brings the published result of a strategy version up to the newest closed bars: run, counted in the trial ledger,
// graded against it, kept, and the strategy's risk set to what it shows.
import type { Instrument, IntradayInterval } from '#engine/market/instrument.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { inputHashes, type InputHashes } from '#engine/evidence/fingerprints.ts';
import { searchKind } from '#engine/evidence/trial-family.ts';
import { type WeeklyGrowth, weeklyGrowth } from '#engine/evidence/weekly-growth.ts';
import { sharpePerPeriod } from '#engine/performance/sharpe-ratio.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import {
  evidenceRows,
  findNewestBacktest,
  pruneBacktests,
  saveBacktest,
} from '#records/results/backtests.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import { publishStrategy } from '#records/strategies/catalogue.ts';
import { recordAdvice } from '#records/suitability/advice-records.ts';
import { findChangedBars, listChainHeads } from '#records/market/changed-bars.ts';
import type { Database } from '#records/postgres/database.ts';
import type { BarSource } from '#records/market/instruments.ts';
import { addTrial, type Trial, wasTried } from '#records/results/trials.ts';
import { changedBarsReason } from '#rules/reasons/result-reason.ts';
import { riskLevel, strategyRiskScore } from '#rules/suitability/strategy-risk.ts';
import type { BacktestJobId, StrategyId, StrategyVersionId, Symbol, UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import {
  publishedCosts,
  type PublishInput,
  publishResult,
  type PublishedResult,
  symbolsOfResult,
} from './publish-result.ts';
import { findRewrittenDay } from './kept-days.ts';
import { gradeResult, regradeResult, regradeSearch } from './grade-result.ts';
import { recordedColumns } from './recorded-columns.ts';

export type ResultTools = {
  readonly database: Database;
  readonly history: ResultHistory;
  /** Of bars shorter than a day. */
  readonly parts: (interval: IntradayInterval) => ResultHistory;
  /** Where the bars of the history are kept. */
  readonly source: BarSource;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly models: ModelRunner;
  /** Trading clock. */
  readonly now: Instant;
  /** The hash of the engine that runs here. */
  readonly engine: string;
  /** Of new profit, for the figures after the fee. */
  readonly feePercent: number;
};

/** Closed bars; `series` answers for symbols that have been loaded. */
export type ResultHistory = {
  load(symbols: readonly Symbol[], asOf: Instant): Promise<void>;
  series(symbol: Symbol): BarSeries;
  /** The seal of each file that their bars were read from, by its name; absent where all come from the records. */
  heads?(symbols: readonly Symbol[]): { readonly [file: string]: string };
};

export type CommittedVersion = {
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId;
  readonly committedAt: Instant;
  readonly definition: StrategyDefinition;
};

/**
 * current: the newest result is of these very bars. too_short: there are too few bars for figures yet. kept: the record stays as another
 * version of the engine published it, because this one gives other figures for its days.
 */
type Renewal = 'renewed' | 'current' | 'too_short' | 'kept';

export async function renewResult(tools: ResultTools, version: CommittedVersion): Promise<Renewal> {
  const { database } = tools;
  const { definition, versionId, committedAt } = version;
  const series = await readSeries(tools, definition);
  const { scores, answers } = await recordedColumns(tools, version, series);
  const settings = publishedCosts({ ...tools, ...(answers && { answers }) }, committedAt);
  const hashes = inputHashes(
    { definition, instruments: tools.instruments, series, scores, settings },
    tools.engine,
  );
  const newest = await findNewestBacktest(database, versionId);
  if (newest?.inputHash === hashes.input) {
    // Another strategy of the family may have been tried since.
    await regradeResult(database, version);
    return 'current';
  }
  if (newest === undefined && (await wasTried(database, versionId, hashes.input))) return 'too_short';
  const published = await runCounted(
    tools,
    { version, hashes, purpose: newest === undefined ? 'publication' : 'renewal' },
    {
      ...version,
      series,
      scores,
      ...(answers && { answers }),
      heads: {
        ...(await listChainHeads(database, {
          symbols: [...series.keys()],
          source: tools.source,
          interval: definition.interval ?? '1d',
        })),
        ...historyOf(tools, definition).heads?.([...series.keys()]),
      },
    },
  );
  if (published === null) return 'too_short';
  if ((await findRewrittenDay(database, newest, published.stored.series)) !== null) return 'kept';
  await keep(database, version, published);
  if (newest === undefined) await regradeSearch(database, version.strategyId);
  return 'renewed';
}

export type Asked = { readonly userId: UserId; readonly jobId: BacktestJobId };

type CountedRun = {
  readonly version: CommittedVersion;
  readonly hashes: InputHashes;
  readonly purpose: Trial['purpose'];
  /** Who requested it in which job, for a request by a person. */
  readonly asked?: Asked;
  /** Its number within that job. */
  readonly number?: number;
};

/** Runs the engine and writes the run into the ledger, also where it failed. */
export async function runCounted(
  { database, instruments, now, source, engine, feePercent }: ResultTools,
  { version, hashes, purpose, asked, number = 0 }: CountedRun,
  input: Omit<PublishInput, 'instruments' | 'now' | 'source' | 'engine'>,
): Promise<PublishedResult | null> {
  const count = (outcome: Trial['outcome']) =>
    addTrial(database, {
      ...searchKind(input.definition, instruments),
      strategyId: version.strategyId,
      versionId: version.versionId,
      definitionHash: hashes.definition,
      inputHash: hashes.input,
      dataHash: hashes.data,
      purpose,
      by:
        asked === undefined
          ? { kind: purpose === 'publication' ? 'provider' : 'machine' }
          : { kind: 'person', userId: asked.userId, run: { jobId: asked.jobId, number } },
      at: now,
      outcome,
    });
  let published: PublishedResult | null;
  try {
    published = publishResult({ ...input, instruments, now, source, engine, feePercent });
  } catch (error) {
    await count({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    throw error;
  }
  await count(
    published === null
      ? TOO_SHORT
      : measured(published.run.returns.inSample, weeklyGrowth(published.run.result, version.committedAt)),
  );
  return published;
}

export const TOO_SHORT: Trial['outcome'] = { kind: 'failed', reason: 'too few bars' };

export function measured(returns: Float64Array, weekly: WeeklyGrowth | null): Trial['outcome'] {
  const sharpe = sharpePerPeriod(returns);
  return {
    kind: 'measured',
    sharpe: Number.isFinite(sharpe) ? sharpe : null,
    periods: returns.length,
    weekly,
  };
}

/** Throws when a bar is not the one that was written down: a result of such bars must never take the place of one. */
export async function readSeries(
  tools: ResultTools,
  definition: StrategyDefinition,
): Promise<ReadonlyMap<Symbol, BarSeries>> {
  const { database, source, now, instruments } = tools;
  const { interval = '1d' } = definition;
  const symbols = symbolsOfResult(definition, instruments);
  const history = historyOf(tools, definition);
  await history.load(symbols, now);
  const changed = await findChangedBars(database, { symbols, source, interval });
  if (changed.length > 0) throw new Error(changedBarsReason(changed));
  return new Map(symbols.map((symbol) => [symbol, history.series(symbol)]));
}

export function historyOf({ history, parts }: ResultTools, { interval }: StrategyDefinition): ResultHistory {
  return interval === undefined ? history : parts(interval);
}

async function keep(
  database: Database,
  version: CommittedVersion,
  { stored, risk, run }: PublishedResult,
): Promise<void> {
  const { benchmark } = evidenceRows(stored.series, stored.samples);
  const evidence = await gradeResult(database, version, run.returns, benchmark);
  const score = strategyRiskScore(risk);
  await database.transaction().execute(async (transaction) => {
    await saveBacktest(transaction, stored, evidence);
    await pruneBacktests(transaction, version.versionId);
    const isNewScore = await publishStrategy(transaction, version.strategyId, {
      level: riskLevel(score),
      score,
    });
    if (isNewScore) await recordAdvice(transaction, { strategyId: version.strategyId }, 'strategy_score');
  });
}
