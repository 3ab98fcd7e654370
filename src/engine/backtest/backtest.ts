// A backtest is evaluate + step + the simulated venue: decided at a close, filled at the next open, within the collar,
// net of commission and slippage. Pure: the same input gives the same result bit for bit, wherever it runs.
import { scoredFrom } from '../model/score-columns.ts';
import { type CompiledDefinition, compileDefinition } from '../strategy/compile-definition.ts';
import type { BacktestResult } from './result.ts';
import type { SharedRuns } from './shared-runs.ts';
import { type BacktestInput, requireFit, type RowRange } from './settings.ts';
import { type RunOptions, vectorizedBacktest } from './vectorized/vectorized-backtest.ts';

export function backtest(input: BacktestInput, options: RunOptions = {}): BacktestResult {
  const compiled = compileBacktest(input, options.shared);
  return vectorizedBacktest(input, compiled, rowsOf(input, compiled), options);
}

/** Throws RangeError when the settings do not fit the definition, or bars or scores are missing. */
export function compileBacktest(input: BacktestInput, shared?: SharedRuns): CompiledDefinition {
  const { definition, series, scores, settings } = input;
  requireFit(input);
  return compileDefinition(definition, series, scores, {
    exits: settings.orders === 'market' ? 'within bars' : 'at closes',
    ...(shared === undefined ? {} : { shared: shared.columns }),
  });
}

/** Which rows are traded. */
export function rowsOf(
  { definition, settings }: Pick<BacktestInput, 'definition' | 'settings'>,
  { table }: CompiledDefinition,
): RowRange {
  const from = Math.max(settings.from ?? Number.NEGATIVE_INFINITY, scoredFrom(definition));
  return {
    first: firstRow(table.timeline, from),
    end: firstRow(table.timeline, (settings.to ?? Number.POSITIVE_INFINITY) + 1),
  };
}

function firstRow(timeline: Float64Array, from: number): number {
  let low = 0;
  let high = timeline.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeline[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
