// Independent engines' results on real series, from the `shared` folder next to the project; skipped where it is
// absent.
import { describe, expect, it } from 'vitest';
import { readSharedSeries } from '../../../tests/support/shared-data.ts';
import {
  compareRun,
  engineRuns,
  inputOf,
  publishedPlaces,
  tradePlaces,
} from '../../../tests/vectors/engine-run-cases.ts';
import { expectAgreement } from '../../../tests/vectors/expect-agreement.ts';
import {
  comparePortfolio,
  momentumPortfolios,
  publishedSelections,
  runPortfolio,
} from '../../../tests/vectors/momentum-cases.ts';
import { backtest, compileBacktest, rowsOf } from './backtest.ts';
import { backtestByEvents } from '#tests/support/oracle/backtest-by-events.ts';

const RUNS = engineRuns();

describe.skipIf(RUNS.length === 0)("an independent engine's runs", () => {
  it.each(RUNS.map((run) => [run.id, run] as const))('%s', (_, run) => {
    const bars = readSharedSeries(run.data);
    const input = inputOf(run, bars);
    const result = backtest(input);
    const compiled = compileBacktest(input);
    expect(backtestByEvents(input, compiled, rowsOf(input, compiled))).toEqual({
      ...result,
      fills: result.fills,
      trades: result.trades,
    });
    expect(tradePlaces(result, bars)).toEqual(publishedPlaces(run));
    expectAgreement(compareRun(run, bars, result));
  });
});

const PORTFOLIOS = momentumPortfolios();

describe.skipIf(PORTFOLIOS.length === 0)("an independent engine's momentum portfolios", () => {
  it.each(PORTFOLIOS.map((one) => [one.id, one] as const))('%s', { timeout: 60_000 }, (_, one) => {
    const run = runPortfolio(one);
    expect(run.selections).toEqual(publishedSelections(one));
    expectAgreement(comparePortfolio(one, run));
  });
});
