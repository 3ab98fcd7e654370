import type { Dependencies } from '../http/dependencies.ts';
import { type Repeating, repeatUntilStopped } from '../repeat-until-stopped.ts';
import { renewPlans } from './renew-plans.ts';

const LOOK_EVERY_MS = 60_000;

/** Looks for plans to renew until stopped. */
export function startRenewals(dependencies: Dependencies): Repeating {
  const work = async () => {
    await renewPlans(dependencies);
  };
  return repeatUntilStopped(
    { everyMs: LOOK_EVERY_MS, failure: 'plans could not be renewed', work },
    dependencies,
  );
}
