// Runs in a browser's worker: draws a million bars, runs the crossover for the first time, as for a person's first
// backtest, and then several times more.
import { crossoverInput, run } from '../engine-runs.ts';
import { MINUTES, walk } from '../engine-workloads.ts';

export type FirstRun = {
  readonly firstMs: number;
  readonly warmMs: readonly number[];
};

const WARM_RUNS = 9;

/** The part of the worker's own scope that is used. */
declare const self: {
  addEventListener(type: 'message', listener: () => void): void;
  postMessage(answer: FirstRun | string): void;
};

self.addEventListener('message', () => {
  try {
    self.postMessage(measureRuns());
  } catch (error) {
    self.postMessage(String(error));
  }
});

function measureRuns(): FirstRun {
  const input = crossoverInput(walk(MINUTES), 'weight');
  const times: number[] = [];
  for (let i = 0; i <= WARM_RUNS; i++) {
    const from = performance.now();
    const { fills } = run(input);
    times.push(performance.now() - from);
    if (fills.length === 0) throw new Error('the crossover did not trade');
  }
  const [firstMs, ...warmMs] = times;
  return { firstMs: firstMs!, warmMs };
}
