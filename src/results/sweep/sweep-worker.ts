// One thread of a sweep: it runs the chunks that it takes, until none is left.
import { parentPort } from 'node:worker_threads';
import { variantsOf } from './run-variant.ts';
import type { FromWorker, ToWorker } from './sweep-messages.ts';

const port = parentPort;
if (port === null) throw new Error('a sweep worker is started as a worker thread');
const say = (message: FromWorker, handedOver: ArrayBuffer[] = []) => port.postMessage(message, handedOver);

port.on('message', ({ sweep, task, sets, chunk, next }: ToWorker) => {
  try {
    const run = variantsOf(task);
    for (;;) {
      const from = Atomics.add(next, 0, chunk);
      if (from >= sets.length) break;
      const runs = sets.slice(from, from + chunk).map(run);
      say(
        { sweep, type: 'ran', from, runs },
        runs.map(({ returns }) => returns.buffer),
      );
    }
    say({ sweep, type: 'ended' });
  } catch (error) {
    say({ sweep, type: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  }
});
