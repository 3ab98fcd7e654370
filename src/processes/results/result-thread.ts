// Starts the thread that renews published results and starts it again when it dies; trading never waits for it.
import { Worker } from 'node:worker_threads';

const AGAIN_AFTER_MS = 60_000;

export type ResultThread = { stop(): Promise<void> };

export function startResultThread(onDeath: (error: unknown) => void): ResultThread {
  let stopping = false;
  let worker: Worker | null = null;
  let again: NodeJS.Timeout | null = null;
  const launch = () => {
    worker = new Worker(new URL('./renew-results.ts', import.meta.url));
    worker.once('error', onDeath);
    worker.once('exit', () => {
      worker = null;
      if (!stopping) again = setTimeout(launch, AGAIN_AFTER_MS);
    });
  };
  launch();
  return {
    stop: async () => {
      stopping = true;
      if (again !== null) clearTimeout(again);
      await worker?.terminate();
    },
  };
}
