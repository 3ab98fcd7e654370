// One published result, from its input alone: the run, what is shown of it, and the hashes of both. The server runs
// this to publish, a visitor's browser runs the very same to verify; the same input gives the same hashes.
import type { Instant } from '#units/instant.ts';
import { backtest } from '../backtest/backtest.ts';
import { atDayEnds } from '../backtest/day-ends.ts';
import type { BacktestResult } from '../backtest/result.ts';
import type { BacktestInput, BacktestSettings } from '../backtest/settings.ts';
import { type BacktestSummary, summarize } from '../backtest/summarize.ts';
import { type EvidenceHashes, inputHashes, resultHash } from './fingerprints.ts';
import {
  type PublishedFigures,
  publishedFigures,
  type PublishedSeries,
  publishedSeries,
  type PublishedTrade,
  publishedTrades,
} from './published-record.ts';
import { type SampleReports, sampleReports, type SampleReturns, sampleReturns } from './sample-reports.ts';

/** Every assumption behind a result except rules and prices. */
export type EvidenceCosts = BacktestSettings & {
  /** Of profit above the high-water mark; taken off in the figures that are labelled so, never in the run. */
  readonly performanceFeePercent: number;
  /** Where out-of-sample begins: what the version was committed at. */
  readonly committedAt: Instant;
};

export type EvidenceRunInput = Omit<BacktestInput, 'settings'> & { readonly settings: EvidenceCosts };

/** What people see of a result, and what its hash therefore covers. */
export type ShownResult = {
  readonly figures: PublishedFigures;
  readonly samples: SampleReports;
  readonly series: PublishedSeries;
  readonly trades: readonly PublishedTrade[];
};

export type EvidenceRun = {
  readonly result: BacktestResult;
  readonly summary: BacktestSummary;
  readonly shown: ShownResult;
  readonly returns: SampleReturns;
  readonly hashes: EvidenceHashes;
};

/** Null while the bars are too few for the figures to be defined. */
export function runEvidence(input: EvidenceRunInput, engine: string): EvidenceRun | null {
  const { definition, series, settings } = input;
  const result = backtest(input);
  const benchmark = series.get(definition.benchmark) ?? null;
  const daily = atDayEnds(definition, result);
  const summary = summarize(input, daily, benchmark);
  const figures = publishedFigures(summary);
  if (figures === null) return null;
  const { committedAt, performanceFeePercent: feePercent } = settings;
  const shown: ShownResult = {
    figures,
    samples: sampleReports(input, daily, { committedAt, feePercent, benchmark }),
    series: publishedSeries(summary),
    trades: publishedTrades(result),
  };
  return {
    result,
    summary,
    shown,
    returns: sampleReturns(daily, committedAt),
    hashes: { ...inputHashes(input, engine), result: resultHash(result, shown) },
  };
}
