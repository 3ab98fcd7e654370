// One thread of a sweep: it plans and runs the chunks that it is handed, and keeps the columns of the sweep between them.
import { parentPort } from 'node:worker_threads';
import { FeatureIndex, planSweep } from '#engine/sweep/plan-sweep.ts';
import { Sweep } from '#engine/sweep/sweep.ts';
import type { ChunkAnswer, FromWorker, SweepTask, ToWorker } from './sweep-messages.ts';

type Running = {
  readonly sweep: number;
  readonly template: unknown;
  readonly features: FeatureIndex;
  readonly engine: Sweep;
};

const port = parentPort;
if (port === null) throw new Error('a sweep worker is started as a worker thread');
let running: Running | Error | null = null;

port.on('message', (message: ToWorker) => {
  if (message.type === 'begin') running = begin(message.sweep, message.task);
  else {
    const { sweep, from, sets } = message;
    port.postMessage({ sweep, from, ...answer(sets) } satisfies FromWorker);
  }
});

function begin(sweep: number, { template, series, instrument, execution }: SweepTask): Running | Error {
  const features = new FeatureIndex();
  const bySymbol = new Map(series.map((bars) => [bars.symbol, bars]));
  try {
    const engine = new Sweep({ features: features.list, series: bySymbol, instrument, execution });
    return { sweep, template, features, engine };
  } catch (error) {
    return asError(error);
  }
}

function answer(sets: Extract<ToWorker, { type: 'chunk' }>['sets']): ChunkAnswer {
  if (running === null || running instanceof Error)
    return { type: 'failed', message: running?.message ?? 'no sweep has begun' };
  const planned = planSweep(running.template, sets, running.features);
  if (!planned.ok) return { type: 'refused', errors: planned.errors };
  try {
    return { type: 'done', columns: running.engine.run(planned.plan.variants) };
  } catch (error) {
    return { type: 'failed', message: asError(error).message };
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
