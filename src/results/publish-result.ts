// The published result of a strategy version: the engine's run over all closed bars with no personal limits, and the
// hashes of what went in and what came out, so that anyone can run the same again and compare.
import type { Instrument } from '#engine/market/instrument.ts';
import { estimateCapacity } from '#engine/capacity/estimate-capacity.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { type EvidenceCosts, type EvidenceRun, runEvidence } from '#engine/evidence/evidence-run.ts';
import type { RunWatch } from '#engine/backtest/vectorized/vectorized-backtest.ts';
import { scoresOf } from '#engine/evidence/fingerprints.ts';
import type { ScoreColumns } from '#engine/model/score-columns.ts';
import { isContractOf } from '#engine/market/derivatives/contract-months.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { compileDefinition } from '#engine/strategy/compile-definition.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import { positionSizes } from '#engine/strategy/position-sizes.ts';
import type { BarsRead, StoredBacktest } from '#records/results/backtests.ts';
import type { BarSource } from '#records/market/instruments.ts';
import { PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import type { MeasuredRisk } from '#rules/suitability/strategy-risk.ts';
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant, type IsoDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import type { RecordedColumns } from './recorded-columns.ts';
import { tradingTerms } from '#engine/risk/trading-terms.ts';

/** Published results start from one amount for all, with no personal limits. */
const INITIAL_DOLLARS = 100_000;

export type PublishedResult = {
  readonly stored: StoredBacktest;
  readonly risk: MeasuredRisk;
  readonly run: EvidenceRun;
};

export type PublishInput = {
  readonly versionId: StrategyVersionId;
  readonly definition: StrategyDefinition;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  /** Closed bars of every symbol that the definition reads. */
  readonly series: ReadonlyMap<Symbol, BarSeries>;
  /** Where the definition has a model: its score of each bar, or what it decided there. */
  readonly scores?: ScoreColumns;
  /** Where a model decides: what its recorded answers cost, and from when on. */
  readonly answers?: RecordedColumns['answers'];
  /** Where out-of-sample begins; without it everything is in-sample. */
  readonly committedAt?: Instant;
  /** Trading clock; without it, the newest close among the series. */
  readonly now?: Instant;
  /** Where the bars are kept; imported bars by default. */
  readonly source?: BarSource;
  /** The end of each symbol's chain of bars. */
  readonly heads?: BarsRead['heads'];
  /** The hash of the engine that runs here. */
  readonly engine: string;
  /** Of new profit, for the figures after the fee; that of the agreement by default. */
  readonly feePercent?: number;
  /** Hears how far the run is. */
  readonly watch?: RunWatch;
};

/** Null while the bars are too few for the figures to be defined. */
export function publishResult(input: PublishInput): PublishedResult | null {
  const newest = newestClose(input.series);
  const costs = publishedCosts(input, input.committedAt ?? newest);
  const run = runEvidence({ ...input, settings: costs }, input.engine, input.watch);
  if (run === null) return null;
  const { figures, samples, series, trades } = run.shown;
  const [first, last] = [series.labels[0], series.labels.at(-1)];
  if (first === undefined || last === undefined) return null;
  return {
    stored: {
      versionId: input.versionId,
      hashes: run.hashes,
      dataAsOf: input.now ?? newest,
      barsRead: {
        source: input.source ?? 'import',
        ...(input.definition.interval && { interval: input.definition.interval }),
        counts: Object.fromEntries([...input.series.values()].map(({ symbol, length }) => [symbol, length])),
        ...(input.heads === undefined ? {} : { heads: input.heads }),
      },
      scores: shownScores(input.scores),
      costs,
      firstDate: first as IsoDate,
      lastDate: last as IsoDate,
      figures,
      samples,
      series,
      trades,
      capacity: estimateCapacity({ ...input, result: run.result, annualReturn: figures.annual_return / 100 }),
      positionSizes: positionSizes(compileDefinition(input.definition, input.series, input.scores).table),
    },
    risk: {
      volatilityPercent: figures.volatility,
      maxDrawdownPercent: figures.max_drawdown,
      leverage: run.summary.report.maxGross ?? 0,
    },
    run,
  };
}

/** The symbols whose bars a result needs: those that the definition reads, and every contract that it may have traded. */
export function symbolsOfResult(
  definition: StrategyDefinition,
  instruments: ReadonlyMap<Symbol, Instrument>,
): readonly Symbol[] {
  const contracts = [...instruments.values()].filter(
    (one) => one.expiry !== null && isContractOf(one.symbol, definition.universe),
  );
  const read = [...symbolsRead(definition), definition.benchmark];
  return [...new Set([...read, ...contracts.map(({ symbol }) => symbol)])];
}

/** The assumptions of every published result. */
export function publishedCosts(
  {
    instruments,
    feePercent = PERFORMANCE_FEE_PERCENT,
    answers,
  }: Pick<PublishInput, 'instruments' | 'feePercent' | 'answers'>,
  committedAt: Instant,
): EvidenceCosts {
  const { costs, collar, noTradeBand } = tradingTerms(instruments);
  return {
    initialCash: toMicro(INITIAL_DOLLARS),
    costs,
    limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar,
    noTradeBand,
    performanceFeePercent: feePercent,
    committedAt,
    ...answers,
  };
}

function shownScores(scores: ScoreColumns | undefined): StoredBacktest['scores'] {
  if (scores === undefined || scores.size === 0) return null;
  return Object.fromEntries([...scores].map(([symbol, column]) => [symbol, scoresOf(column)]));
}

function newestClose(series: ReadonlyMap<Symbol, BarSeries>): Instant {
  let newest = 0;
  for (const { closedAt } of series.values()) newest = Math.max(newest, closedAt.at(-1) ?? 0);
  return instant(newest);
}
