import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { findKillSwitch, findLifted, widenKillSwitch as widen } from '#records/operations/kill-switches.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../act-as-staff.ts';
import { showKillSwitch } from './show-kill-switch.ts';

export const widenKillSwitch: Call<typeof operationsEndpoints.widenKillSwitch> = async (
  { params: { id }, request },
  dependencies,
) => {
  const { database } = dependencies.records;
  const support = staffOf(request);
  await transactAs(support, dependencies, async (trx) => {
    await widen(trx, id);
  });
  const killSwitch = await findKillSwitch(database, { id });
  if (killSwitch !== undefined) return showKillSwitch(killSwitch);
  const lifted = await findLifted(database, id);
  if (lifted === undefined) return notFound();
  return refuse('already_decided', `${lifted.liftedBy} lifted it at ${lifted.liftedAt.toISOString()}.`);
};
