import { setTimeout as pause } from 'node:timers/promises';
import { REQUESTS_CHANNEL } from '#records/brokerage/broker-requests.ts';
import { listenTo } from '#records/postgres/notifications.ts';
import { SECOND_MS } from '#units/instant.ts';
import type { TraderDependencies } from '../dependencies.ts';
import type { ShardLease } from '../leases/shard-lease.ts';
import type { RequestDesk } from './request-desk.ts';

/** Serves the desk at each message and once a second, while a lease is valid. Returns the function that stops it. */
export function startAnswering(
  { handle, logger }: Pick<TraderDependencies, 'handle' | 'logger'>,
  desk: RequestDesk,
  findLease: () => Promise<ShardLease>,
): () => Promise<void> {
  const stopping = new AbortController();
  let woken = new AbortController();
  const listening = listenTo(handle.pool, REQUESTS_CHANNEL, () => woken.abort());
  const run = async () => {
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      try {
        await listening.ensure();
        const lease = await findLease();
        if (lease.isValid()) await desk.serve(lease);
      } catch (error) {
        logger.warn(
          { err: error },
          `trader: requests could not be read: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
      const signal = AbortSignal.any([stopping.signal, woken.signal]);
      await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
    await listening.close();
    await desk.idle();
  };
}

const LOOK_AGAIN_MS = SECOND_MS;
