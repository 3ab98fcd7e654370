// One set of a sweep: the same backtest that a published result is made of, with other numbers in the definition.
import type { BacktestSettings } from '#engine/backtest/settings.ts';
import { measureResult } from '#engine/backtest/summarize.ts';
import { keptSummaryRows } from '#engine/backtest/summary-rows.ts';
import { type ParameterSet, VariantRunner } from '#engine/backtest/variants.ts';
import { publishedFigures, type PublishedFigures } from '#engine/evidence/published-record.ts';
import { sampleReturns } from '#engine/evidence/sample-reports.ts';
import { type WeeklyGrowth, weeklyGrowth } from '#engine/evidence/weekly-growth.ts';
import { resultReason } from '#rules/reasons/result-reason.ts';
import type { Instant } from '#units/instant.ts';
import type { PublishInput } from '../publish-result.ts';

/** What all sets of a sweep have in common. */
export type SweepTask = Pick<PublishInput, 'definition' | 'instruments' | 'series' | 'scores'> & {
  readonly settings: BacktestSettings & { readonly committedAt: Instant };
};

export type SetRun = {
  readonly parameters: ParameterSet;
  /** Null where it gave none; then `failure` says why. */
  readonly figures: PublishedFigures | null;
  readonly failure?: string;
};

export type VariantRun = {
  readonly shown: SetRun;
  /** In-sample, per period; empty without a result. */
  readonly returns: Float64Array<ArrayBuffer>;
  /** The same by week; null without a result. */
  readonly weekly: WeeklyGrowth | null;
};

/** Answers what runs the sets of a sweep, one after the other. */
export function variantsOf(task: SweepTask): (parameters: ParameterSet) => VariantRun {
  const runner = new VariantRunner(task.definition, task);
  const rowsOf = keptSummaryRows();
  return (parameters) => {
    try {
      const run = runner.run(parameters);
      if (!run.ok)
        return failed(parameters, run.errors.map(({ path, message }) => `${path} ${message}`).join('; '));
      const { definition, result } = run;
      const benchmark = task.series.get(definition.benchmark) ?? null;
      const rows = rowsOf(result.timeline, benchmark);
      const figures = publishedFigures(measureResult({ ...task, definition }, result, rows));
      const failure = figures === null ? { failure: resultReason('set_without_figures') } : {};
      return {
        shown: { parameters, figures, ...failure },
        returns: sampleReturns(result, task.settings.committedAt).inSample,
        weekly: weeklyGrowth(result, task.settings.committedAt),
      };
    } catch (error) {
      // The engine refuses what it cannot run; the other sets are still worth knowing.
      if (!(error instanceof RangeError)) throw error;
      return failed(parameters, error.message);
    }
  };
}

function failed(parameters: ParameterSet, failure: string): VariantRun {
  return { shown: { parameters, figures: null, failure }, returns: new Float64Array(0), weekly: null };
}
