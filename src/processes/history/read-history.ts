// The thread that reads the market history for a process that serves requests.
import { parentPort, workerData } from 'node:worker_threads';
import type { HistoryAnswer, StoredSeries } from '#ports/market-history.ts';
import { openHistory } from '../wiring/open-history.ts';
import type { FromHistory, ToHistory } from './history-messages.ts';

const port = parentPort;
if (port === null) throw new Error('the history is read in a worker thread');
const store = openHistory(workerData as string);
port.on('message', (asked: ToHistory) => {
  const message = answer(asked);
  port.postMessage(message, 'answer' in message ? columnsOf(message.answer) : []);
});

/** Handed over, not copied: the thread keeps nothing of them. */
function columnsOf(answer: HistoryAnswer<StoredSeries>): ArrayBuffer[] {
  if (!answer.ok) return [];
  const { closedAt, open, high, low, close, volume } = answer.value.series;
  return [closedAt, open, high, low, close, volume].map(({ buffer }) => buffer as ArrayBuffer);
}

function answer({ id, key, files, range }: ToHistory): FromHistory {
  try {
    return { id, answer: store.series(key, files, range) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}
