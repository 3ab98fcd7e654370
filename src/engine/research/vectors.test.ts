// Independent engines' results on real series, from the `shared` folder beside the project; skipped where it is absent.
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
import { runByColumns } from './run-by-columns.ts';
import { runByEvents } from './run-by-events.ts';

const RUNS = engineRuns();

describe.skipIf(RUNS.length === 0)("an independent engine's runs", () => {
  it.each(RUNS.map((run) => [run.id, run] as const))('%s', (_, run) => {
    const bars = readSharedSeries(run.data);
    const result = runByColumns(inputOf(run, bars));
    expect(result).toEqual(runByEvents(inputOf(run, bars)));
    expect(tradePlaces(result, bars)).toEqual(publishedPlaces(run));
    expectAgreement(compareRun(run, bars, result));
  });
});
