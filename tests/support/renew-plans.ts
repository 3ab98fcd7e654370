import { listDuePersons } from '#records/billing/subscriptions.ts';
import { planRenewalHandler } from '#server/billing/renew-plan.ts';
import type { Dependencies } from '#server/http/dependencies.ts';
import { claimed } from './run-jobs.ts';

/** Makes one attempt at each plan whose period has ended. */
export async function renewPlans(dependencies: Dependencies): Promise<void> {
  const handler = planRenewalHandler(dependencies);
  for (const userId of await listDuePersons(dependencies.records.database, dependencies.now(), 50))
    await handler(claimed<'plan-renewals'>({ userId }));
}
