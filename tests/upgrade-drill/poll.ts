// People whose screens stay open while APIs are replaced: each request goes to one API, and again to the other as the client of the
// product does it, four times in all.
import { setTimeout as pause } from 'node:timers/promises';

export type Polled = { requests: number; retried: number; readonly failed: string[] };

type Polling = {
  /** Of the APIs that serve, at this moment. */
  readonly addresses: () => readonly string[];
  readonly token: string;
  readonly paths: readonly string[];
};

const ATTEMPTS = 4;
const EVERY_MS = 150;

export function startPolling({ addresses, token, paths }: Polling): () => Promise<Polled> {
  const polled: Polled = { requests: 0, retried: 0, failed: [] };
  const stopping = new AbortController();
  const ended = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      await ask(n);
      await pause(EVERY_MS);
    }
  })();

  async function ask(n: number): Promise<void> {
    polled.requests += 1;
    const path = paths[n % paths.length]!;
    let said = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) {
        polled.retried += 1;
        await pause(200 * 2 ** attempt);
      }
      const known = addresses();
      try {
        const answer = await fetch(`${known[(n + attempt) % known.length]}${path}`, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(10_000),
        });
        await answer.text();
        if (answer.ok) return;
        said = String(answer.status);
        if (answer.status !== 503 && answer.status !== 429) break;
      } catch (error) {
        said = error instanceof Error ? String(error.cause ?? error) : String(error);
      }
    }
    polled.failed.push(`${path}: ${said}`);
  }

  return async () => {
    stopping.abort();
    await ended;
    return polled;
  };
}
