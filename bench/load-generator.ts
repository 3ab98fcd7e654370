// Sends requests over loopback as fast as responses come, from its own thread: `connections` open sockets, one request
// at a time on each, for a bounded time. Returns the count and the latencies.
import { connect } from 'node:net';
import { parentPort, Worker, workerData } from 'node:worker_threads';

export type Load = {
  readonly port: number;
  /** Whole HTTP/1.1 requests, taken in turn. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
};

export type LoadResult = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };

/** Rejects when a response is anything but 200. */
export function runLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function generate(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + load.seconds * 1000;
  let next = 0;
  const ask = () => load.requests[next++ % load.requests.length]!;
  await Promise.all(
    Array.from({ length: load.connections }, () => keepAsking({ port: load.port, until, ask, latencies })),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((left, right) => left - right);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

type Asking = { port: number; until: number; ask: () => string; latencies: number[] };

function keepAsking({ port, until, ask, latencies }: Asking): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received = Buffer.alloc(0);
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(ask());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const length = answerLength(received);
      if (length === null || received.length < length) return;
      if (!received.subarray(0, 13).equals(OK)) {
        reject(new Error(`not 200: ${received.subarray(0, 200).toString()}`));
        socket.destroy();
        return;
      }
      latencies.push(performance.now() - sentAt);
      received = Buffer.alloc(0);
      if (performance.now() < until) send();
      else socket.end();
    });
  });
}

const OK = Buffer.from('HTTP/1.1 200 ');

/** The total length of a response, head and body; null while its head is incomplete. */
function answerLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const match = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd));
  if (!match) throw new Error('an answer without a content-length');
  return headEnd + 4 + Number(match[1]);
}

if (parentPort !== null) parentPort.postMessage(await generate(workerData as Load));
