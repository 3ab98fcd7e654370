import { setTimeout as sleep } from 'node:timers/promises';
import type { Dependencies } from '../dependencies.ts';
import { deliverMails } from './deliver-mails.ts';
import { WeeklyReports } from './weekly-reports.ts';

const LOOK_EVERY_MS = 1_000;

/** Looks for mails to send until stopped. Any number of processes may: each mail is claimed by one. */
export function startMailer(dependencies: Dependencies): { stop(): Promise<void> } {
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
  const reports = new WeeklyReports();
  while (!stopped.aborted) {
    try {
      await reports.owe(dependencies);
      await deliverMails(dependencies);
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopped });
    } catch (error) {
      if (stopped.aborted) return;
      if (dependencies.logger) dependencies.logger.error({ err: error }, 'mails could not be sent');
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
}
