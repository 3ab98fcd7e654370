// Mails to send. A mail is marked before the handover and settled after it: one that was handed over and never settled
// has an unknown fate and is not sent again. Each has a job in the queue.
import { type Kysely, type Selectable, sql } from 'kysely';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText } from '#units/instant.ts';
import { sendJobs } from '../jobs/send-jobs.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';
import { parseNoticeFacts } from './notifications.ts';

type PasswordResetRequest = {
  readonly id: string;
  /** In lower case. An unknown address is accepted too, and has no effect. */
  readonly email: string;
  readonly at: Instant;
  /** More than `most` requests since `since` have no effect. */
  readonly since: Instant;
  readonly most: number;
};

/** The same statements for an unknown address: its job finds no mail. */
export async function enqueuePasswordReset(database: Database, request: PasswordResetRequest): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await sql`
      insert into mails (id, user_id, purpose, cause, created_at)
      select ${request.id}::uuid, u.id, 'password_reset', 'password_reset:' || ${request.id}::text, ${isoText(request.at)}
      from users u
      where u.email = ${request.email} and u.disabled_at is null and (
        select count(*) from mails m
        where m.user_id = u.id and m.purpose = 'password_reset' and m.created_at > ${isoText(request.since)}
      ) < ${request.most}`.execute(trx);
    await sendMails(trx, [request.id], URGENT);
  });
}

type VerificationRequest = Omit<PasswordResetRequest, 'email'> & { readonly userId: UserId };

/** Nothing for an address that is verified. */
export async function enqueueVerification(database: Database, request: VerificationRequest): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await sql`
      insert into mails (id, user_id, purpose, cause, created_at)
      select ${request.id}::uuid, u.id, 'verification', 'verification:' || ${request.id}::text, ${isoText(request.at)}
      from users u
      where u.id = ${request.userId} and u.email_verified_at is null and (
        select count(*) from mails m
        where m.user_id = u.id and m.purpose = 'verification' and m.created_at > ${isoText(request.since)}
      ) < ${request.most}`.execute(trx);
    await sendMails(trx, [request.id], URGENT);
  });
}

/** To somebody without an account; once for each invitation. */
export async function enqueueInvitation(
  trx: Kysely<Tables>,
  { invitationId, to, at }: { readonly invitationId: string; readonly to: string; readonly at: Instant },
): Promise<void> {
  await trx
    .insertInto('mails')
    .values({
      id: invitationId,
      purpose: 'invitation',
      to_address: to,
      invitation_id: invitationId,
      cause: `invitation:${invitationId}`,
      created_at: isoText(at),
    })
    .execute();
  await sendMails(trx, [invitationId], URGENT);
}

type AlarmMail = {
  readonly id: string;
  readonly to: string;
  readonly incidentId: string;
  readonly event: 'opened' | 'ended';
  readonly at: Instant;
};

/** Once for each incident and event, however often it is asked for. */
export async function enqueueAlarmMail(database: Database, alarm: AlarmMail): Promise<void> {
  const { id, to, incidentId, event, at } = alarm;
  await database.transaction().execute(async (trx) => {
    const added = await trx
      .insertInto('mails')
      .values({
        id,
        purpose: 'alarm',
        to_address: to,
        incident_id: incidentId,
        alarm_event: event,
        cause: `alarm:${incidentId}:${event}`,
        created_at: isoText(at),
      })
      .onConflict((conflict) => conflict.column('cause').doNothing())
      .returning('id')
      .execute();
    await sendMails(
      trx,
      added.map((one) => one.id),
      URGENT,
    );
  });
}

/** A person waits for it at the screen, or must act on it now. */
const URGENT = 1;

/** Sends the jobs of the mails that this transaction creates. */
export async function sendMails(trx: Kysely<Tables>, ids: readonly string[], priority = 0): Promise<void> {
  await sendJobs(
    trx,
    'mails',
    ids.map((mailId) => ({ data: { mailId }, key: mailId, priority })),
  );
}

export type ClaimedMail = {
  readonly id: string;
  readonly to: string;
  readonly content:
    | { readonly purpose: 'alarm'; readonly alarms: readonly MailedAlarm[] }
    | { readonly purpose: 'invitation'; readonly invitationId: string }
    | (ClientMail & { readonly purpose: 'password_reset' | 'verification' })
    /** `week` is its Monday as YYYY-MM-DD. */
    | (ClientMail & { readonly purpose: 'performance_report'; readonly week: IsoDate })
    | (ClientMail & { readonly purpose: 'notification'; readonly notices: readonly MailedNotice[] });
};

/** The name is null where the address is not verified: it is free text, and the reader may be anybody. */
type ClientMail = { readonly userId: UserId; readonly firstName: string | null };

type MailedAlarm = { readonly incidentId: string; readonly event: 'opened' | 'ended' };

type MailedNotice = {
  readonly facts: NoticeFacts;
  /** Of one deployment: shared by the notices of one decision. */
  readonly decision: string | null;
  readonly at: Date;
};

/**
 * Marks the mail as being sent, together with the other pending notices for this person. over: already sent, part of
 * another mail, or gone. lost: handed over by a worker that died before it saw the outcome; it
 * is given up.
 */
export async function claimMail(
  database: Database,
  id: string,
  at: Instant,
): Promise<ClaimedMail | 'over' | 'lost'> {
  return database.transaction().execute(async (trx) => {
    // The mails of one person, or for one address, are claimed one after another, so that their notices go out together.
    await sql`select 1 from users where id = (select user_id from mails where id = ${id}) for no key update`.execute(
      trx,
    );
    await sql`
      select pg_advisory_xact_lock(hashtextextended('alarm mail ' || to_address, 0)) from mails
      where id = ${id} and to_address is not null`.execute(trx);
    const mail = await findMail(trx, id);
    if (mail === undefined || (mail.sent_with !== null && mail.sent_with !== id)) return 'over';
    if (mail.status === 'sending') {
      await finishMail(trx, id, { end: { status: 'unknown', problem: 'worker ended' }, at });
      return 'lost';
    }
    if (mail.status !== 'waiting') return 'over';
    const { carried, ...claimed } = await contentOf(trx, id, mail);
    await trx
      .updateTable('mails')
      .set({ status: 'sending', sent_with: id })
      .where('id', 'in', [...carried])
      .execute();
    return { id, ...claimed };
  });
}

function findMail(trx: Kysely<Tables>, id: string) {
  return trx
    .selectFrom('mails')
    .leftJoin('users', 'users.id', 'mails.user_id')
    .select([
      'mails.user_id',
      'mails.to_address',
      'mails.purpose',
      'mails.week',
      'mails.invitation_id',
      'mails.status',
      'mails.sent_with',
      'users.email',
      'users.first_name',
      'users.email_verified_at',
    ])
    .where('mails.id', '=', id)
    .executeTakeFirst();
}

type FoundMail = NonNullable<Awaited<ReturnType<typeof findMail>>>;
/** `carried` are the mails that go out as this one. */
type Content = Pick<ClaimedMail, 'to' | 'content'> & { readonly carried: readonly string[] };

async function contentOf(trx: Kysely<Tables>, id: string, mail: FoundMail): Promise<Content> {
  const { purpose, week, user_id: userId, email, first_name: firstName, to_address: address } = mail;
  if (purpose === 'alarm' && address !== null) {
    const alarms = await listWaitingAlarms(trx, { id, to: address });
    return { to: address, content: { purpose, alarms }, carried: alarms.map((one) => one.id) };
  }
  if (purpose === 'invitation' && address !== null && mail.invitation_id !== null)
    return { to: address, content: { purpose, invitationId: mail.invitation_id }, carried: [id] };
  if (userId === null || email === null || firstName === null) throw new Error(`no one gets the mail ${id}`);
  const client = { userId, firstName: mail.email_verified_at === null ? null : firstName };
  if (purpose === 'notification') {
    const notices = await listWaitingNotices(trx, { id, userId });
    return { to: email, content: { purpose, ...client, notices }, carried: notices.map((one) => one.id) };
  }
  if (purpose === 'performance_report' && week !== null)
    return { to: email, content: { purpose, ...client, week: week as IsoDate }, carried: [id] };
  if (purpose === 'password_reset' || purpose === 'verification')
    return { to: email, content: { purpose, ...client }, carried: [id] };
  throw new Error(`no mail is made for the purpose ${purpose}`);
}

/** This alarm and those for this address that no other mail carries, oldest first. */
async function listWaitingAlarms(
  trx: Kysely<Tables>,
  { id, to }: { readonly id: string; readonly to: string },
): Promise<readonly (MailedAlarm & { readonly id: string })[]> {
  const { rows } = await sql<MailedAlarm & { id: string }>`
    select id, incident_id as "incidentId", alarm_event as event from (
      select * from mails where to_address = ${to} and purpose = 'alarm' and status = 'waiting'
        and (sent_with is null or sent_with = ${id})
      order by id = ${id} desc, created_at limit ${NOTICES_MAX}) as named
    order by created_at, id`.execute(trx);
  return rows;
}

/** The most notices in one mail. */
const NOTICES_MAX = 50;

type NoticeRow = Pick<Selectable<Tables['notifications']>, 'kind' | 'facts'>;

/** This notice and those that no other mail carries, oldest first. */
async function listWaitingNotices(
  trx: Kysely<Tables>,
  { id, userId }: { readonly id: string; readonly userId: UserId },
) {
  const { rows } = await sql<NoticeRow & { id: string; decision: string | null; at: Date }>`
    select id, kind, facts, decision, at from (
      select m.id, n.kind, n.facts, n.deployment_id || ' ' || n.decision as decision, n.created_at as at, n.id as notice
      from mails m join notifications n on n.id = m.notification_id
      where m.user_id = ${userId} and m.status = 'waiting' and (m.sent_with is null or m.sent_with = ${id})
      order by m.id = ${id} desc, n.created_at, n.id
      limit ${NOTICES_MAX}
    ) as named
    order by at, notice`.execute(trx);
  return rows.map(({ id: mailId, decision, at, ...row }) => ({
    id: mailId,
    decision,
    at,
    facts: parseNoticeFacts(row),
  }));
}

/** waiting: refused for now; the next attempt sends the same. */
type MailEnd = {
  readonly status: 'sent' | 'failed' | 'unknown' | 'waiting';
  readonly problem: string | null;
};

export async function finishMail(
  database: Kysely<Tables>,
  id: string,
  { end, at }: { readonly end: MailEnd; readonly at: Instant },
): Promise<void> {
  await database
    .updateTable('mails')
    .set({ ...end, ended_at: end.status === 'waiting' ? null : isoText(at) })
    .where('sent_with', '=', id)
    .where('status', '=', 'sending')
    .execute();
}

/** It waits again, because a person retries the failed job. */
export async function requeueMail(database: Kysely<Tables>, id: string): Promise<void> {
  await database
    .updateTable('mails')
    .set({ status: 'waiting', problem: null, ended_at: null })
    .where('sent_with', '=', id)
    .where('status', '=', 'failed')
    .execute();
}
