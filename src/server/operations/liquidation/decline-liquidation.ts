import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { decideRequest, findDecided, lockOpenRequest } from '#records/deployments/liquidation-requests.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { voidProposals } from '#records/operations/proposals.ts';
import type { NotificationId } from '#units/identifiers.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';

/** One person: trading continues, and the owner gets the reason. */
export const declineLiquidation: Call<typeof operationsEndpoints.declineLiquidation> = async (
  { params: { id }, body: { reason }, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const support = staffOf(request);
  const at = now();
  const marketAt = (await findHeartbeat(records.database, 'trader'))?.marketAt ?? at;
  const isDeclined = await transactAs(support, dependencies, async (trx) => {
    const open = await lockOpenRequest(trx, id);
    if (open === undefined) return false;
    await decideRequest(trx, open, { status: 'declined', reason, by: support.id, at });
    await voidProposals(trx, { action: 'liquidate', subject: id });
    const kind = 'liquidation_declined';
    const { userId, deploymentId, strategyName } = open;
    await insertNotifications(trx, [
      {
        id: randomUUID() as string as NotificationId,
        userId,
        deploymentId,
        facts: { kind, strategyName, because: reason },
        cause: `${kind}:${open.id}`,
        at: marketAt,
      },
    ]);
    return true;
  });
  const decided = await findDecided(records.database, id);
  if (decided === undefined) return notFound();
  // The same decision by the same person, sent again after its answer was lost, returns the same answer.
  const isRepeated = decided.by === support.id && decided.status === 'declined' && decided.reason === reason;
  if (!isDeclined && !isRepeated) {
    const said = `${decided.email} ${decided.status} it at ${decided.at.toISOString()}.`;
    return refuse('already_decided', said);
  }
  return { id, reason, decided_at: decided.at.toISOString() };
};
