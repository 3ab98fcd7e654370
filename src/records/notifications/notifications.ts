import type { Selectable } from 'kysely';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { DeploymentId, NotificationId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';

export type NotificationRecord = {
  readonly id: NotificationId;
  readonly deploymentId: DeploymentId | null;
  readonly facts: NoticeFacts;
  /** Shared by the notices of one decision. */
  readonly decision: string | null;
  readonly isRead: boolean;
  /** Trading clock. */
  readonly createdAt: Date;
};

type Own = { readonly id: string; readonly userId: UserId };

/** Newest first. */
export async function listNotifications(
  database: Database,
  { userId, limit }: { readonly userId: UserId; readonly limit: number },
): Promise<readonly NotificationRecord[]> {
  const rows = await database
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(notificationRecord);
}

/** Undefined for an unknown notice and for someone else's. */
export async function findOwnNotification(
  database: Database,
  { id, userId }: Own,
): Promise<NotificationRecord | undefined> {
  if (!isUuid<NotificationId>(id)) return undefined;
  const row = await database
    .selectFrom('notifications')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && notificationRecord(row);
}

/** Returns how many became read by this call. `id` null marks all of the person's notices. */
export async function markNotificationsRead(
  database: Database,
  { id, userId, at }: { readonly id: NotificationId | null; readonly userId: UserId; readonly at: Instant },
): Promise<number> {
  let query = database
    .updateTable('notifications')
    .set({ read_at: isoText(at) })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null);
  if (id !== null) query = query.where('id', '=', id);
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

type Row = Pick<
  Selectable<Tables['notifications']>,
  'id' | 'deployment_id' | 'kind' | 'facts' | 'decision' | 'created_at'
> & { readonly read_at: Date | string | null };

export function notificationRecord(row: Row): NotificationRecord {
  return {
    id: row.id,
    deploymentId: row.deployment_id,
    facts: parseNoticeFacts(row),
    decision: row.decision,
    isRead: row.read_at !== null,
    createdAt: row.created_at,
  };
}

/** From a row that the outbox has written. */
export function parseNoticeFacts({ kind, facts }: Pick<Row, 'kind' | 'facts'>): NoticeFacts {
  return { kind, ...(facts as object) } as NoticeFacts;
}
