// Notices, and what carries them out of the product, are written in the transaction that records their event, so none is lost and
// none is false.
import { type Kysely, sql } from 'kysely';
import { CHANNELS, NEWS, newsOf, USUAL_CHOICES } from '#rules/notifications/choices.ts';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
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

/** A cell of the table of choices, as SQL reads it. */
const USUAL = NEWS.flatMap((news) =>
  CHANNELS.flatMap((channel) => {
    const usual = USUAL_CHOICES[news][channel];
    return usual === undefined ? [] : [{ news, channel, isOn: usual !== false, isFixed: usual === 'always' }];
  }),
);

/** A notice whose cause already has one is left out, with all that would carry it. The choices of its person are read at the time of
 * writing; to an address that is not verified nothing is mailed. */
export async function insertNotifications(
  trx: Kysely<Tables>,
  notifications: readonly NewNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  const column = <Value>(pick: (notification: NewNotification) => Value) => notifications.map(pick);
  const { rows } = await sql<{ id: string; what: Carrier }>`
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
      select w.id, w.user_id, sort.news from written w join unnest(
        ${column((n) => n.id)}::uuid[],
        ${column((n) => newsOf(n.facts.kind))}::text[]
      ) as sort (id, news) on sort.id = w.id
    ), chosen as (
      select s.id, s.user_id, u.channel from sorted s
      join unnest(
        ${USUAL.map(({ news }) => news)}::text[],
        ${USUAL.map(({ channel }) => channel)}::text[],
        ${USUAL.map(({ isOn }) => isOn)}::boolean[],
        ${USUAL.map(({ isFixed }) => isFixed)}::boolean[]
      ) as u (news, channel, is_on, is_fixed) on u.news = s.news
      left join news_choices c
        on c.user_id = s.user_id and c.news = u.news and c.channel = u.channel and not u.is_fixed
      where coalesce(c.is_on, u.is_on)
    ), mailed as (
      insert into mails (id, user_id, purpose, notification_id, cause)
      select gen_random_uuid(), c.user_id, 'notification', c.id, 'notification:' || c.id
      from chosen c join users u on u.id = c.user_id and u.email_verified_at is not null
      where c.channel = 'mail'
      returning id
    ), told as (
      insert into news_deliveries (id, user_id, address_id, channel, address_name, notification_id)
      select gen_random_uuid(), c.user_id, a.id, a.channel, a.name, c.id
      from chosen c join news_addresses a on a.user_id = c.user_id and a.channel = c.channel
      returning id
    ), posted as (
      insert into webhook_deliveries (id, user_id, webhook_id, notification_id)
      select gen_random_uuid(), s.user_id, h.id, s.id
      from sorted s join webhooks h on h.user_id = s.user_id and h.disabled_at is null and s.news = any(h.news)
      returning id
    )
    select id, 'mail' as what from mailed union all select id, 'news' from told union all select id, 'webhook' from posted`.execute(
    trx,
  );
  const idsOf = (what: Carrier) => rows.flatMap((row) => (row.what === what ? [row.id] : []));
  const jobsOf = (what: Carrier) => idsOf(what).map((deliveryId) => ({ data: { deliveryId } }));
  await sendMails(trx, idsOf('mail'));
  await sendJobs(trx, 'news', jobsOf('news'));
  await sendJobs(trx, 'webhooks', jobsOf('webhook'));
}

type Carrier = 'mail' | 'news' | 'webhook';

/** Without the kind, which has its own column. */
function factsJson({ facts }: NewNotification): string {
  const { kind: _, ...rest } = facts;
  return JSON.stringify(rest);
}
