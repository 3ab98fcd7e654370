import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { findLifted, liftKillSwitch as lift } from '#records/operations/kill-switches.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../act-as-staff.ts';

/** When two people lift it, both get the answer that it is off; the log names the first. */
export const liftKillSwitch: Call<typeof operationsEndpoints.liftKillSwitch> = async (
  { params: { id }, request },
  dependencies,
) => {
  const { database } = dependencies.records;
  const support = staffOf(request);
  const outcome = await transactAs(support, dependencies, async (trx) => {
    return lift(trx, { id, by: support.email });
  });
  if (outcome === 'not on' && (await findLifted(database, id)) === undefined) return notFound();
};
