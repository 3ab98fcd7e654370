// The backtest that users take, with other targets than those that the rules gave. Promises, for the rules' own targets, the returns
// of that backtest bit for bit.
import { atDayEnds } from '../../backtest/day-ends.ts';
import { compileBacktest, rowsOf } from '../../backtest/backtest.ts';
import type { BacktestResult } from '../../backtest/result.ts';
import type { BacktestInput } from '../../backtest/settings.ts';
import { SharedRuns } from '../../backtest/shared-runs.ts';
import { vectorizedBacktest } from '../../backtest/vectorized/vectorized-backtest.ts';
import { returnsOf } from '../../performance/returns.ts';
import { sharpeRatio } from '../../performance/sharpe-ratio.ts';
import type { CompiledDefinition } from '../../strategy/compile-definition.ts';
import type { TargetTable } from '../../strategy/targets/target-table.ts';

export class AttackedRun {
  readonly input: BacktestInput;
  readonly compiled: CompiledDefinition;
  readonly #shared: SharedRuns;

  /** Throws RangeError as the backtest does. */
  constructor(input: BacktestInput) {
    this.input = input;
    this.#shared = new SharedRuns(input);
    this.compiled = compileBacktest(input, this.#shared);
  }

  result(table: TargetTable = this.compiled.table): BacktestResult {
    const { input, compiled } = this;
    const result = vectorizedBacktest(input, { ...compiled, table }, rowsOf(input, compiled), {
      shared: this.#shared,
    });
    return atDayEnds(input.definition, result);
  }

  /** A year. */
  sharpe(table?: TargetTable): number {
    return sharpeRatio(returnsOf(this.result(table).equity), this.input.definition.periodsPerYear);
  }
}
