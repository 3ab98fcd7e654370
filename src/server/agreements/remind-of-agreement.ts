import { randomUUID } from 'node:crypto';
import { findAgreementDeadline, listUnrenewed } from '#records/agreements/agreement-deadlines.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { agreementStages, changesSince } from '#rules/agreements/agreement-versions.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { NotificationId } from '#units/identifiers.ts';
import { parseWallInstant, wallDate, wallInstantOf } from '#units/wall-instant.ts';
import type { Dependencies } from '../http/dependencies.ts';

/** Tells whoever signed an older version what is new, once, and reminds. Each step is one notice, however often this runs. */
export async function remindOfAgreement({
  records,
  now,
}: Pick<Dependencies, 'records' | 'now'>): Promise<void> {
  const version = AGREEMENT_VERSION;
  const wall = wallInstantOf(now());
  await records.database.transaction().execute(async (trx) => {
    const deadline = await findAgreementDeadline(trx, version);
    const signBy = deadline && parseWallInstant(deadline);
    const at = (await findHeartbeat(trx, 'trader'))?.marketAt ?? now();
    for (const { userId, signed, toldAt } of await listUnrenewed(trx, version, wall)) {
      const signOn = signBy && wallDate(signBy);
      await insertNotifications(
        trx,
        agreementStages({ toldAt, signBy, now: wall }).map((stage) => ({
          id: randomUUID() as NotificationId,
          userId,
          deploymentId: null,
          facts: { kind: 'agreement_changed', stage, changes: changesSince(signed), signOn } as const,
          // A day that is moved is told again.
          cause: `agreement_changed:${userId}:${version}:${stage}${stage === 'changed' || stage === 'reminded' ? '' : `:${signOn}`}`,
          at,
        })),
      );
    }
  });
}
