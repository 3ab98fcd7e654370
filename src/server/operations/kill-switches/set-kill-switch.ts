import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { haltedName } from '#rules/operations/kill-switch.ts';
import type { Call } from '../../http/call.ts';
import { refuse } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import { makeProposal, UNSAID } from '../proposals/make-proposal.ts';
import { showKillSwitch } from './show-kill-switch.ts';
import { turnOnSwitch } from './turn-on-switch.ts';

/** One person halts; that open orders and stops are cancelled too takes a second one. */
export const setKillSwitch: Call<typeof operationsEndpoints.setKillSwitch> = async (
  { body, request, repetitionId },
  dependencies,
) => {
  const support = staffOf(request);
  const { scope, target = null, cancels_orders: cancelsWorking, reason: because } = body;
  const turned = await turnOnSwitch(dependencies.records.database, {
    id: repetitionId ?? randomUUID(),
    scope,
    name: target,
    cancelsWorking: false,
    because,
    by: support.email,
  });
  if (turned.outcome === 'no such target')
    return refuse('not_found', `There is no ${scope} "${target}".`, { field: 'target' });
  if (turned.outcome === 'lifted since') {
    const { liftedBy, liftedAt } = turned.lifted;
    const said = `This halt was set, and ${liftedBy} lifted it at ${liftedAt.toISOString()}. It is no longer on.`;
    return refuse('already_exists', said);
  }
  const { killSwitch } = turned;
  if (turned.outcome === 'on already') {
    const halted = haltedName(scope, killSwitch.name);
    const { setBy, setAt } = killSwitch;
    const said = `Trading is already halted for ${halted}: ${setBy} set the halt at ${setAt.toISOString()}, because ${killSwitch.because}.`;
    return refuse('already_exists', said, { details: { id: killSwitch.id } });
  }
  if (cancelsWorking)
    await transactAs(support, dependencies, (trx) =>
      makeProposal(trx, {
        ...UNSAID,
        id: randomUUID(),
        action: 'cancel_orders',
        subject: killSwitch.id,
        because,
        proposedBy: support.id,
      }),
    );
  return showKillSwitch(killSwitch);
};
