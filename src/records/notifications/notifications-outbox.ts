// Notices and their mails are written in the transaction that records their event, so none is lost and none is
// false.
import { type Kysely, sql } from 'kysely';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import { DEFAULT_NOTIFICATION_PREFERENCES, emailSwitchOf } from '#rules/notifications/preferences.ts';
import type { DeploymentId, NotificationId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';
import { sendJobs } from '../jobs/send-jobs.ts';
import { sendMails } from './mails.ts';

export type NewNotification = {
  readonly id: NotificationId;
  readonly userId: UserId;
  readonly deploymentId: DeploymentId | null;
  readonly facts: NoticeFacts;
  /** The event behind it, such as 'fill:<account>:<execution>': one event, one notice. */
  readonly cause: string;
  /** Shared by the notices of one decision; absent for any other. */
  readonly decision?: string;
  /** Trading clock. */
  readonly at: Instant;
};

const { email: USUAL } = DEFAULT_NOTIFICATION_PREFERENCES;

/** A notice whose cause already has one is left out, with its mail and its posts to webhooks. Mail preferences are read at the time of writing; to an address
 * that is not verified nothing is mailed. */
export async function insertNotifications(
  trx: Kysely<Tables>,
  notifications: readonly NewNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  const column = <Value>(pick: (notification: NewNotification) => Value) => notifications.map(pick);
  const { rows } = await sql<{ id: string; what: 'mail' | 'webhook' }>`
    with written as (
      insert into notifications (id, user_id, deployment_id, kind, facts, cause, decision, created_at)
      select * from unnest(
        ${column((n) => n.id)}::uuid[],
        ${column((n) => n.userId)}::uuid[],
        ${column((n) => n.deploymentId)}::uuid[],
        ${column((n) => n.facts.kind)}::text[],
        ${column(factsJson)}::jsonb[],
        ${column((n) => n.cause)}::text[],
        ${column((n) => n.decision ?? null)}::text[],
        ${column((n) => isoText(n.at))}::timestamptz[]
      )
      on conflict (cause) do nothing
      returning id, user_id
    ), sorted as (
      select w.id, w.user_id, sort.is_trade from written w join unnest(
        ${column((n) => n.id)}::uuid[],
        ${column((n) => emailSwitchOf(n.facts.kind) === 'tradeConfirmations')}::boolean[]
      ) as sort (id, is_trade) on sort.id = w.id
    ), mailed as (
      insert into mails (id, user_id, purpose, notification_id, cause)
      select gen_random_uuid(), w.user_id, 'notification', w.id, 'notification:' || w.id
      from sorted w
      join users u on u.id = w.user_id and u.email_verified_at is not null
      left join notification_preferences p on p.user_id = w.user_id
      where case when is_trade
        then coalesce(p.email_trade_confirmations, ${USUAL.tradeConfirmations})
        else coalesce(p.email_strategy_updates, ${USUAL.strategyUpdates})
      end
      returning id
    ), posted as (
      insert into webhook_deliveries (id, user_id, webhook_id, notification_id)
      select gen_random_uuid(), w.user_id, h.id, w.id
      from sorted w join webhooks h on h.user_id = w.user_id and h.disabled_at is null
        and case when is_trade then 'trades' else 'updates' end = any(h.news)
      returning id
    )
    select id, 'mail' as what from mailed union all select id, 'webhook' from posted`.execute(trx);
  const idsOf = (what: 'mail' | 'webhook') => rows.flatMap((row) => (row.what === what ? [row.id] : []));
  await sendMails(trx, idsOf('mail'));
  await sendJobs(
    trx,
    'webhooks',
    idsOf('webhook').map((deliveryId) => ({ data: { deliveryId } })),
  );
}

/** Without the kind, which has its own column. */
function factsJson({ facts }: NewNotification): string {
  const { kind: _, ...rest } = facts;
  return JSON.stringify(rest);
}
