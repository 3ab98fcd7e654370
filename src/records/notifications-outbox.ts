// Notices are written in the transaction that makes their event a fact, so none is lost and none is made up.
import { type Kysely, sql } from 'kysely';
import type { DeploymentId, NotificationId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from './tables.ts';

export type NewNotification = {
  readonly id: NotificationId;
  readonly userId: UserId;
  readonly deploymentId: DeploymentId | null;
  readonly kind: string;
  readonly title: string;
  readonly message: string;
  /** The event that promised it, such as 'fill:<account>:<execution>': one event, one notice. */
  readonly cause: string;
  /** Trading clock. */
  readonly at: Instant;
};

/** A notice whose cause has one already is left out. */
export async function insertNotifications(
  trx: Kysely<Tables>,
  notifications: readonly NewNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  const column = <Value>(pick: (notification: NewNotification) => Value) => notifications.map(pick);
  await sql`
    insert into notifications (id, user_id, deployment_id, kind, title, message, cause, created_at)
    select * from unnest(
      ${column((n) => n.id)}::uuid[],
      ${column((n) => n.userId)}::uuid[],
      ${column((n) => n.deploymentId)}::uuid[],
      ${column((n) => n.kind)}::text[],
      ${column((n) => n.title)}::text[],
      ${column((n) => n.message)}::text[],
      ${column((n) => n.cause)}::text[],
      ${column((n) => isoText(n.at))}::timestamptz[]
    )
    on conflict (cause) do nothing`.execute(trx);
}
