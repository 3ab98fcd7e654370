// Mails that are owed. A mail is claimed before it is handed over and settled after: one that was handed over and
// never settled has an unknown fate and is not sent again.
import { type Kysely, sql } from 'kysely';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';
import { parseNoticeFacts } from './notifications.ts';

export type PasswordResetWish = {
  readonly id: string;
  /** In lower case. Nobody's is taken too, and comes to nothing. */
  readonly email: string;
  readonly at: Instant;
  /** More than `most` wishes since `since` come to nothing. */
  readonly since: Instant;
  readonly most: number;
};

/** One statement, the same for an e-mail that nobody has. */
export async function enqueuePasswordReset(database: Database, wish: PasswordResetWish): Promise<void> {
  await sql`
    insert into mails (id, user_id, purpose, cause, due_at, created_at)
    select ${wish.id}::uuid, u.id, 'password_reset', 'password_reset:' || ${wish.id}::text, ${isoText(wish.at)},
      ${isoText(wish.at)}
    from users u
    where u.email = ${wish.email} and (
      select count(*) from mails m
      where m.user_id = u.id and m.purpose = 'password_reset' and m.created_at > ${isoText(wish.since)}
    ) < ${wish.most}`.execute(database);
}

export type ClaimedMail = {
  /** Several notices for one person go as one mail. */
  readonly ids: readonly string[];
  readonly userId: UserId;
  readonly to: string;
  readonly firstName: string;
  readonly attempts: number;
  readonly content:
    | { readonly purpose: 'password_reset' }
    /** `week` is its Monday as YYYY-MM-DD. */
    | { readonly purpose: 'performance_report'; readonly week: string }
    | { readonly purpose: 'notification'; readonly notices: readonly MailedNotice[] };
};

export type MailedNotice = { readonly facts: NoticeFacts; readonly at: Date };

/** The mail that has waited longest, resets before all others, now marked as being sent; undefined when none is due. */
export async function claimMail(database: Database, at: Instant): Promise<ClaimedMail | undefined> {
  return database.transaction().execute(async (trx) => {
    const first = await trx
      .selectFrom('mails')
      .innerJoin('users', 'users.id', 'mails.user_id')
      .select([
        'mails.id',
        'mails.user_id',
        'mails.purpose',
        'mails.week',
        'mails.attempts',
        'users.email',
        'users.first_name',
      ])
      .where('mails.status', '=', 'waiting')
      .where('mails.due_at', '<=', new Date(at))
      .orderBy(sql`mails.purpose = 'password_reset'`, 'desc')
      .orderBy('mails.due_at')
      .limit(1)
      .forUpdate('mails')
      .skipLocked()
      .executeTakeFirst();
    if (!first) return undefined;
    const userId = first.user_id as UserId;
    const notices = first.purpose === 'notification' ? await lockNotices(trx, userId, at) : [];
    const ids = first.purpose === 'notification' ? notices.map(({ id }) => id) : [first.id];
    await trx
      .updateTable('mails')
      .set({ status: 'sending', claimed_at: isoText(at), attempts: sql`attempts + 1` })
      .where('id', 'in', ids)
      .execute();
    return {
      ids,
      userId,
      to: first.email,
      firstName: first.first_name,
      attempts: first.attempts + 1,
      content: contentOf(first, notices),
    };
  });
}

function contentOf(
  { purpose, week }: { purpose: string; week: string | null },
  notices: readonly MailedNotice[],
): ClaimedMail['content'] {
  if (purpose === 'notification') return { purpose, notices };
  if (purpose === 'performance_report' && week !== null) return { purpose, week };
  if (purpose === 'password_reset') return { purpose };
  throw new Error(`no mail is made for the purpose ${purpose}`);
}

/** One mail names so many notices at most. */
const NOTICES_MAX = 50;

async function lockNotices(trx: Kysely<Tables>, userId: UserId, at: Instant) {
  const rows = await trx
    .selectFrom('mails')
    .innerJoin('notifications', 'notifications.id', 'mails.notification_id')
    .select(['mails.id', 'notifications.kind', 'notifications.facts', 'notifications.created_at as at'])
    .where('mails.user_id', '=', userId)
    .where('mails.status', '=', 'waiting')
    .where('mails.due_at', '<=', new Date(at))
    .orderBy('notifications.created_at')
    .orderBy('notifications.id')
    .limit(NOTICES_MAX)
    .forUpdate('mails')
    .skipLocked()
    .execute();
  return rows.map(({ id, at: noticedAt, ...row }) => ({ id, at: noticedAt, facts: parseNoticeFacts(row) }));
}

export type MailEnd =
  | { readonly status: 'sent' | 'failed' | 'unknown'; readonly problem: string | null }
  | { readonly status: 'waiting'; readonly dueAt: Instant; readonly problem: string };

export async function settleMail(
  database: Database,
  ids: readonly string[],
  { end, at }: { readonly end: MailEnd; readonly at: Instant },
): Promise<void> {
  await database
    .updateTable('mails')
    .set({
      status: end.status,
      problem: end.problem,
      ...(end.status === 'waiting' ? { due_at: isoText(end.dueAt) } : { ended_at: isoText(at) }),
    })
    .where('id', 'in', ids)
    .where('status', '=', 'sending')
    .execute();
}

/** Those handed over before `before` by a process that did not live to see the outcome. */
export async function giveUpLostMails(
  database: Database,
  { before, at }: { readonly before: Instant; readonly at: Instant },
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('mails')
    .set({ status: 'unknown', problem: 'the sending process ended', ended_at: isoText(at) })
    .where('status', '=', 'sending')
    .where('claimed_at', '<', new Date(before))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
