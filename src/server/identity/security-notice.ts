import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { Tables } from '#records/tables.ts';
import type { SecurityChange } from '#rules/notifications/account-text.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

type Changed = {
  readonly userId: UserId;
  readonly change: SecurityChange;
  readonly device: string;
  readonly at: Instant;
};

/** To the person, who may not be the one who did it. */
export async function securityNotice(
  trx: Kysely<Tables>,
  { userId, change, device, at }: Changed,
): Promise<void> {
  const id = randomUUID() as string as NotificationId;
  const facts = { kind: 'security_changed', change, device } as const;
  await insertNotifications(trx, [
    { id, userId, deploymentId: null, facts, cause: `security_changed:${id}`, at },
  ]);
}
