import { setTimeout as sleep } from 'node:timers/promises';
import type { Dependencies } from './http/dependencies.ts';

export type Repeated = {
  readonly everyMs: number;
  /** What the log says when it failed; it is tried again at the next turn. */
  readonly failure: string;
  readonly work: () => Promise<void>;
};

export type Repeating = { stop(): Promise<void> };

/** Works at once, then again and again until stopped; stopping waits for the work under way. */
export function repeatUntilStopped(
  { everyMs, failure, work }: Repeated,
  { logger }: Pick<Dependencies, 'logger'>,
): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  const repeat = async () => {
    while (!signal.aborted) {
      try {
        await work();
      } catch (error) {
        if (signal.aborted) return;
        if (logger) logger.error({ err: error }, failure);
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const working = repeat();
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
