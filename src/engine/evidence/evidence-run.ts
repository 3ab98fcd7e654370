// One published result, from its input alone: the run, what is shown of it, and the hashes of both. The server runs
// this to publish, a visitor's browser runs the very same to verify; the same input gives the same hashes.
import type { Instant } from '#units/instant.ts';
import { backtest } from '../backtest/backtest.ts';
import { knownThrough } from '../decider/decider-rule.ts';
import type { TokenCosts } from '../decider/recorded-answers.ts';
import { atDayEnds } from '../backtest/day-ends.ts';
import type { RunWatch } from '../backtest/vectorized/vectorized-backtest.ts';
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
import {
  knownReport,
  resultAfter,
  type SampleReports,
  sampleReports,
  type SampleReturns,
  sampleReturns,
} from './sample-reports.ts';
import { withTokenCosts } from './token-costs.ts';

/** Every assumption behind a result except rules and prices. */
export type EvidenceCosts = BacktestSettings & {
  /** Of profit above the high-water mark; taken off in the figures that are labelled so, never in the run. */
  readonly performanceFeePercent: number;
  /** Where out-of-sample begins: what the version was committed at. */
  readonly committedAt: Instant;
  /** Where a model decides: what its recorded answers cost. It is taken off the equity; positions are sized without it. */
  readonly tokenCosts?: TokenCosts;
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
export function runEvidence(input: EvidenceRunInput, engine: string, watch?: RunWatch): EvidenceRun | null {
  const { definition, series, settings } = input;
  const result = withTokenCosts(backtest(input, { watch }), settings.tokenCosts);
  const benchmark = series.get(definition.benchmark) ?? null;
  const daily = atDayEnds(definition, result);
  const whole = summarize(input, daily, benchmark);
  // What a deciding model may have known is drawn, and measured apart.
  const judged = resultAfter(daily, knownThrough(definition));
  const summary = judged === daily ? whole : summarize(input, judged, benchmark);
  const figures = publishedFigures(summary);
  if (figures === null) return null;
  const { committedAt, performanceFeePercent: feePercent } = settings;
  const shown: ShownResult = {
    figures,
    samples: {
      ...sampleReports(input, judged, { committedAt, feePercent, benchmark }),
      ...(judged === daily ? {} : { known: knownReport(input, daily, { judged, feePercent, benchmark }) }),
    },
    series: { ...publishedSeries(whole), monthly_returns: publishedSeries(summary).monthly_returns },
    trades: publishedTrades(result),
  };
  return {
    result,
    summary,
    shown,
    returns: sampleReturns(judged, committedAt),
    hashes: { ...inputHashes(input, engine), result: resultHash(result, shown) },
  };
}
