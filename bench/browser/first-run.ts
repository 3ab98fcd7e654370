// Runs in a browser's worker: fetches a million bars as binary columns, then runs the crossover for the first time, as a
// person's first question does, and then some more.
import { decodeBars } from '#engine/columns/bar-columns.ts';
import type { Symbol } from '#units/identifiers.ts';
import { check, crossover, EXPECTED } from '../engine-runs.ts';

export type FirstRun = {
  readonly loadMs: number;
  readonly firstMs: number;
  readonly warmMs: readonly number[];
};

const WARM_RUNS = 9;

/** The worker's own scope, as far as it is used. */
declare const self: {
  addEventListener(type: 'message', listener: (event: { readonly data: string }) => void): void;
  postMessage(answer: FirstRun | string): void;
};

self.addEventListener('message', (event) => {
  void measureRuns(event.data).then(
    (run) => self.postMessage(run),
    (error: unknown) => self.postMessage(String(error)),
  );
});

async function measureRuns(url: string): Promise<FirstRun> {
  const answer = await fetch(url);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const loadFrom = performance.now();
  const bars = decodeBars(bytes, { symbol: 'ONE' as Symbol, interval: '1m' });
  const loadMs = performance.now() - loadFrom;
  const times: number[] = [];
  for (let i = 0; i <= WARM_RUNS; i++) {
    const from = performance.now();
    const outcome = crossover(bars);
    times.push(performance.now() - from);
    check('W1 in the browser', outcome, EXPECTED.crossover);
  }
  const [firstMs, ...warmMs] = times;
  return { loadMs, firstMs: firstMs!, warmMs };
}
