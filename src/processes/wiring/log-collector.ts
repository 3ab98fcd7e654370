// Sends each log line to a collector on another machine, over TLS, one JSON object a line: as Vector, Fluent Bit, Logstash and
// syslog servers take them. A process never waits for it: what cannot be sent is kept up to a limit, then the oldest lines go.
import { connect, type TLSSocket } from 'node:tls';
import type { LogCollectorSettings } from '../environment/receivers.ts';

export type LogCollector = {
  /** One line with its end. */
  write(line: string): void;
  /** Connects no more. */
  end(): void;
};

const KEPT_BYTES_MAX = 8_000_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;

export function openLogCollector({ host, port, ca }: LogCollectorSettings): LogCollector {
  let kept: string[] = [];
  let keptBytes = 0;
  let dropped = 0;
  let retryMs = RETRY_FIRST_MS;
  let socket: TLSSocket | null = null;
  let isReady = false;
  let isEnded = false;

  const send = () => {
    if (socket === null || !isReady) return;
    if (dropped > 0) {
      socket.write(
        `${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: 'log: lines were dropped' })}\n`,
      );
      dropped = 0;
    }
    let count = 0;
    for (const line of kept) {
      count += 1;
      keptBytes -= line.length;
      if (!socket.write(line)) break;
    }
    isReady = count === kept.length;
    kept = kept.slice(count);
  };
  const open = () => {
    const opened = connect({ host, port, servername: host, ...(ca !== null && { ca }) }, () => {
      retryMs = RETRY_FIRST_MS;
      isReady = true;
      send();
    });
    socket = opened;
    // A collector keeps no process alive.
    opened.unref();
    opened.on('drain', () => {
      isReady = true;
      send();
    });
    // 'close' follows.
    opened.on('error', () => undefined);
    opened.on('close', () => {
      isReady = false;
      socket = null;
      if (isEnded) return;
      setTimeout(open, retryMs).unref();
      retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
    });
  };
  open();

  return {
    write(line) {
      kept.push(line);
      keptBytes += line.length;
      while (keptBytes > KEPT_BYTES_MAX) {
        keptBytes -= kept.shift()!.length;
        dropped += 1;
      }
      send();
    },
    end() {
      isEnded = true;
      socket?.end();
    },
  };
}
