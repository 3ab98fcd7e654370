import { setTimeout as sleep } from 'node:timers/promises';
import type { Dependencies } from '../dependencies.ts';
import { renewPlans } from './renew-plans.ts';

const LOOK_EVERY_MS = 60_000;

/** Looks for plans to renew until stopped. */
export function startRenewals(dependencies: Dependencies): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const working = work(dependencies, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

async function work(dependencies: Dependencies, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    try {
      await renewPlans(dependencies);
    } catch (error) {
      if (stopped.aborted) return;
      if (dependencies.logger) dependencies.logger.error({ err: error }, 'plans could not be renewed');
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => undefined);
  }
}
