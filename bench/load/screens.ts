// Screens that are open: each holds the stream of events, and reads its deployment again as often as the web app does beside a stream.
import { Agent, get, type IncomingMessage } from 'node:http';
import { runLoad } from '../load-generator.ts';
import type { ApiReady, Screen } from './api-process.ts';

export type OpenScreens = {
  /** The same screens, with new tokens. */
  renew(screens: readonly Screen[]): void;
  /** How long each read took since the last call, in milliseconds, and each look at the health. */
  take(): {
    readonly readMs: readonly number[];
    readonly healthMs: readonly number[];
    readonly failed: number;
  };
  /** As many reads a second as 64 connections get answered. */
  atMost(seconds: number): Promise<{ readonly perSecond: number; readonly p99Ms: number }>;
  close(): void;
};

export function openScreens({ port, screens: opened }: ApiReady): OpenScreens {
  let screens = opened;
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  let readMs: number[] = [];
  let healthMs: number[] = [];
  let failed = 0;
  let isClosed = false;
  const streams = new Set<IncomingMessage>();
  const timers: NodeJS.Timeout[] = [];
  const options = (path: string, { token }: Pick<Screen, 'token'>) => ({
    host: '127.0.0.1',
    port,
    path,
    headers: { authorization: `Bearer ${token}` },
  });
  const listen = (n: number) => {
    if (isClosed) return;
    const again = () => void setTimeout(() => listen(n), REOPENED_AFTER_MS).unref();
    // A stream ends with its access token; the browser opens it again.
    get({ ...options('/api/stream/', screens[n]!), agent: false }, (answer) => {
      streams.add(answer);
      answer.resume();
      answer.once('close', () => {
        streams.delete(answer);
        again();
      });
    }).on('error', again);
  };
  const time = (path: string, screen: Pick<Screen, 'token'>, into: (ms: number) => void) => {
    const from = performance.now();
    get({ ...options(path, screen), agent }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode === 200) into(performance.now() - from);
        else failed += 1;
      });
    }).on('error', () => {
      failed += 1;
    });
  };
  screens.forEach((_, n) => {
    listen(n);
    const read = () => time(pathOf(screens[n]!), screens[n]!, (ms) => readMs.push(ms));
    const begin = () => timers.push(setInterval(read, READ_EVERY_MS));
    timers.push(setTimeout(begin, (n / screens.length) * READ_EVERY_MS));
  });
  timers.push(setInterval(() => time('/api/health/', screens[0]!, (ms) => healthMs.push(ms)), 1_000));

  return {
    renew(renewed) {
      screens = renewed;
    },
    take() {
      const taken = { readMs, healthMs, failed };
      [readMs, healthMs, failed] = [[], [], 0];
      return taken;
    },
    atMost: (seconds) => {
      const requests = screens.map(
        (screen) =>
          `GET ${pathOf(screen)} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${screen.token}\r\n\r\n`,
      );
      return runLoad({ port, requests, connections: 64, seconds });
    },
    close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      for (const stream of streams) stream.destroy();
      agent.destroy();
    },
  };
}

function pathOf({ deployment }: Screen): string {
  return `/api/deployments/${deployment}/`;
}

const REOPENED_AFTER_MS = 2_000;
/** Beside a stream that is heard. */
const READ_EVERY_MS = 30_000;
