// The thread that reads the market history for a process that serves requests.
import { parentPort, workerData } from 'node:worker_threads';
import { openHistory } from '../wiring/open-history.ts';
import type { FromHistory, ToHistory } from './history-messages.ts';

const port = parentPort;
if (port === null) throw new Error('the history is read in a worker thread');
const store = openHistory(workerData as string);
port.on('message', ({ id, key, files, range }: ToHistory) =>
  port.postMessage(answer({ id, key, files, range })),
);

function answer({ id, key, files, range }: ToHistory): FromHistory {
  try {
    return { id, answer: store.series(key, files, range) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}
