// Webhooks of a person: addresses, sealed secrets, deliveries and what came of each.
import { sql } from 'kysely';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import { FAILING_DAYS, type WebhookNews } from '#rules/webhooks/webhook-terms.ts';
import type { DeploymentId, NotificationId, UserId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, isoText } from '#units/instant.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Database, Transaction } from '../postgres/database.ts';

export type WebhookRecord = {
  readonly id: string;
  readonly userId: UserId;
  readonly url: string;
  readonly news: readonly WebhookNews[];
  readonly sealedSecrets: Buffer;
  readonly formerUntil: Date | null;
  readonly createdAt: Date;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledBecause: 'owner' | 'failing' | 'gone' | null;
};

type Own = { readonly userId: UserId; readonly id: string };

export async function insertWebhook(
  trx: Transaction,
  webhook: Pick<WebhookRecord, 'id' | 'userId' | 'url' | 'news' | 'sealedSecrets'> & { readonly at: Instant },
): Promise<void> {
  await trx
    .insertInto('webhooks')
    .values({
      id: webhook.id,
      user_id: webhook.userId,
      url: webhook.url,
      news: [...webhook.news],
      sealed_secrets: webhook.sealedSecrets,
      created_at: isoText(webhook.at),
    })
    .execute();
}

/** The oldest first. */
export async function listWebhooks(
  database: Database,
  { userId, id = null }: { readonly userId: UserId; readonly id?: string | null },
): Promise<readonly WebhookRecord[]> {
  if (id !== null && !isUuid(id)) return [];
  const rows = await database
    .selectFrom('webhooks')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(id !== null, (query) => query.where('id', '=', id!))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    url: row.url,
    news: row.news as WebhookNews[],
    sealedSecrets: row.sealed_secrets,
    formerUntil: row.former_until,
    createdAt: row.created_at,
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    disabledBecause: row.disabled_because as WebhookRecord['disabledBecause'],
  }));
}

type Change = {
  readonly url?: string | undefined;
  readonly news?: readonly WebhookNews[] | undefined;
  readonly isOn?: boolean | undefined;
  readonly at: Instant;
};

/** False where this person has none of this id. Turned on again it begins without failures. */
export async function changeWebhook(
  database: Database,
  { userId, id }: Own,
  { url, news, isOn, at }: Change,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rows } = await sql<{ id: string }>`
    update webhooks set url = coalesce(${url ?? null}, url), news = coalesce(${news ? [...news] : null}::text[], news),
      disabled_at = case ${isOn ?? null}::boolean when true then null when false then coalesce(disabled_at, ${isoText(at)})
        else disabled_at end,
      disabled_because = case ${isOn ?? null}::boolean when true then null when false then coalesce(disabled_because, 'owner')
        else disabled_because end,
      failing_since = case ${isOn ?? null}::boolean when true then null else failing_since end
    where id = ${id} and user_id = ${userId} returning id`.execute(database);
  return rows.length === 1;
}

export async function replaceSecrets(
  trx: Transaction,
  {
    id,
    sealed,
    formerUntil,
  }: { readonly id: string; readonly sealed: Buffer; readonly formerUntil: Instant },
): Promise<void> {
  await sql`update webhooks set sealed_secrets = ${sealed}, former_until = ${isoText(formerUntil)} where id = ${id}`.execute(
    trx,
  );
}

/** Of two who replace a secret at once, one waits. */
export async function lockWebhook(trx: Transaction, { userId, id }: Own): Promise<WebhookRecord | undefined> {
  if (!isUuid(id)) return undefined;
  await sql`select from webhooks where id = ${id} and user_id = ${userId} for update`.execute(trx);
  return (await listWebhooks(trx, { userId, id }))[0];
}

export async function removeWebhook(database: Database, { userId, id }: Own): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rows } = await sql<{ id: string }>`
    delete from webhooks where id = ${id} and user_id = ${userId} returning id`.execute(database);
  return rows.length === 1;
}

export async function insertTestDelivery(
  trx: Transaction,
  delivery: Own & { readonly webhookId: string; readonly at: Instant },
): Promise<void> {
  await sql`insert into webhook_deliveries (id, user_id, webhook_id, created_at)
    values (${delivery.id}, ${delivery.userId}, ${delivery.webhookId}, ${isoText(delivery.at)})`.execute(trx);
}

export type DeliveryRecord = {
  readonly id: string;
  readonly kind: NoticeFacts['kind'] | null;
  readonly status: 'waiting' | 'taken' | 'failed';
  readonly attempts: number;
  readonly answered: number | null;
  readonly problem: string | null;
  readonly createdAt: Date;
  readonly triedAt: Date | null;
};

/** The newest first. */
export async function listDeliveries(
  database: Database,
  { userId, id }: Own,
  most: number,
): Promise<readonly DeliveryRecord[]> {
  const { rows } = await sql<DeliveryRecord>`
    select d.id, n.kind, d.status, d.attempts, d.answered, d.problem, d.created_at as "createdAt", d.tried_at as "triedAt"
    from webhook_deliveries d left join notifications n on n.id = d.notification_id
    where d.webhook_id = ${id} and d.user_id = ${userId} order by d.created_at desc, d.id limit ${most}`.execute(
    database,
  );
  return rows;
}

export type DueDelivery = {
  readonly id: string;
  readonly userId: UserId;
  readonly webhookId: string;
  readonly url: string;
  readonly sealedSecrets: Buffer;
  readonly formerUntil: Date | null;
  readonly isDisabled: boolean;
  readonly createdAt: Date;
  /** Null: a test. */
  readonly notice: {
    readonly id: NotificationId;
    readonly facts: NoticeFacts;
    readonly deploymentId: DeploymentId | null;
    readonly createdAt: Date;
  } | null;
};

/** Undefined once it has ended, or its webhook is gone. */
export async function findDueDelivery(database: Database, id: string): Promise<DueDelivery | undefined> {
  const { rows } = await sql<{
    user_id: UserId;
    webhook_id: string;
    url: string;
    sealed_secrets: Buffer;
    former_until: Date | null;
    disabled_at: Date | null;
    created_at: Date;
    notification_id: NotificationId | null;
    kind: string;
    facts: object;
    deployment_id: DeploymentId | null;
    noticed_at: Date;
  }>`
    select d.user_id, d.webhook_id, w.url, w.sealed_secrets, w.former_until, w.disabled_at, d.created_at, d.notification_id,
      n.kind, n.facts, n.deployment_id, n.created_at as noticed_at
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id left join notifications n on n.id = d.notification_id
    where d.id = ${id} and d.status = 'waiting'`.execute(database);
  const [row] = rows;
  return (
    row && {
      id,
      userId: row.user_id,
      webhookId: row.webhook_id,
      url: row.url,
      sealedSecrets: row.sealed_secrets,
      formerUntil: row.former_until,
      isDisabled: row.disabled_at !== null,
      createdAt: row.created_at,
      notice:
        row.notification_id === null
          ? null
          : {
              id: row.notification_id,
              facts: { kind: row.kind, ...row.facts } as NoticeFacts,
              deploymentId: row.deployment_id,
              createdAt: row.noticed_at,
            },
    }
  );
}

type Attempt = {
  readonly id: string;
  readonly webhookId: string;
  readonly status: 'waiting' | 'taken' | 'failed';
  readonly answered: number | null;
  readonly problem: string | null;
  readonly at: Instant;
};

/** Answers why the webhook was disabled by this attempt; null where it goes on. */
export async function noteAttempt(trx: Transaction, attempt: Attempt): Promise<'failing' | 'gone' | null> {
  const { id, webhookId, status, answered, problem, at } = attempt;
  await sql`
    update webhook_deliveries set status = ${status}, attempts = attempts + 1, answered = ${answered}, problem = ${problem},
      tried_at = ${isoText(at)} where id = ${id}`.execute(trx);
  if (status === 'taken') {
    await sql`update webhooks set failing_since = null where id = ${webhookId} and failing_since is not null`.execute(
      trx,
    );
    return null;
  }
  const because = answered === GONE ? 'gone' : 'failing';
  const failingTooLong = isoText((at - FAILING_DAYS * DAY_MS) as Instant);
  const { rows } = await sql<{ is_new: boolean }>`
    update webhooks set failing_since = coalesce(failing_since, ${isoText(at)}),
      disabled_at = case when ${because} = 'gone' or failing_since <= ${failingTooLong} then ${isoText(at)}::timestamptz end,
      disabled_because = case when ${because} = 'gone' or failing_since <= ${failingTooLong} then ${because} end
    where id = ${webhookId} and disabled_at is null returning disabled_at is not null as is_new`.execute(trx);
  return rows[0]?.is_new === true ? because : null;
}

/** The receiver says that it will never take one again. */
const GONE = 410;
