import type { Dependencies } from '../http/dependencies.ts';
import { type Repeating, repeatUntilStopped } from '../repeat-until-stopped.ts';
import { deliverMails } from './deliver-mails.ts';
import { WeeklyReports } from './weekly-reports.ts';

const LOOK_EVERY_MS = 1_000;

/** Looks for mails to send until stopped. Any number of processes may: each mail is claimed by one. */
export function startMailer(dependencies: Dependencies): Repeating {
  const reports = new WeeklyReports();
  const work = async () => {
    await reports.owe(dependencies);
    await deliverMails(dependencies);
  };
  return repeatUntilStopped(
    { everyMs: LOOK_EVERY_MS, failure: 'mails could not be sent', work },
    dependencies,
  );
}
