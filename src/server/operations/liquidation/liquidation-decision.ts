import { randomUUID } from 'node:crypto';
import { actAs } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import {
  decideRequest,
  lockOpenRequest,
  type OpenRequest,
} from '#records/deployments/liquidation-requests.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { commandRefusal } from '#engine/lifecycle/apply-command.ts';
import { commandReason } from '#rules/reasons/command-reason.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

type LiquidationDecision = {
  readonly requestId: string;
  /** The end of a sentence shown to the owner; null approves. */
  readonly declinedBecause: string | null;
  readonly by: { readonly id: UserId; readonly actor: string };
  /** Real clock. */
  readonly at: Instant;
};

type Decided =
  | { readonly outcome: 'decided'; readonly request: OpenRequest }
  | { readonly outcome: 'not open' }
  | { readonly outcome: 'refused'; readonly reason: string };

/** If approved, the trader sells everything; if declined, the owner gets the reason. Locks the request, so it runs once. */
export async function decideLiquidation(database: Database, decision: LiquidationDecision): Promise<Decided> {
  const { requestId, declinedBecause, by, at } = decision;
  const marketAt = (await findHeartbeat(database, 'trader'))?.marketAt ?? null;
  return database.transaction().execute(async (trx): Promise<Decided> => {
    await actAs(trx, by.actor);
    const request = await lockOpenRequest(trx, requestId);
    if (!request) return { outcome: 'not open' };
    if (declinedBecause === null) {
      const refusal = commandRefusal('liquidate', request.status);
      if (refusal !== null) return { outcome: 'refused', reason: commandReason(refusal) };
      await decideRequest(trx, request, { status: 'approved', reason: null, by: by.id, at });
      return { outcome: 'decided', request };
    }
    await decideRequest(trx, request, { status: 'declined', reason: declinedBecause, by: by.id, at });
    const kind = 'liquidation_declined';
    const { userId, deploymentId, strategyName } = request;
    await insertNotifications(trx, [
      {
        id: randomUUID() as string as NotificationId,
        userId,
        deploymentId,
        facts: { kind, strategyName, because: declinedBecause },
        cause: `${kind}:${request.id}`,
        at: marketAt ?? at,
      },
    ]);
    return { outcome: 'decided', request };
  });
}
