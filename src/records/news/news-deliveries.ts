// What was sent to browsers and chats, and what came of each.
import { sql } from 'kysely';
import type { NewsChannelName } from '#rules/news/news-terms.ts';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

export async function insertTestDelivery(
  database: Database,
  delivery: { readonly id: string; readonly userId: UserId; readonly addressId: string },
): Promise<void> {
  await sql`
    insert into news_deliveries (id, user_id, address_id, channel, address_name)
    select ${delivery.id}, user_id, id, channel, name from news_addresses
    where id = ${delivery.addressId} and user_id = ${delivery.userId}`.execute(database);
}

export type NewsDeliveryRecord = {
  readonly id: string;
  readonly channel: NewsChannelName;
  readonly name: string;
  /** Null: a test. */
  readonly kind: NoticeFacts['kind'] | null;
  readonly status: 'waiting' | 'taken' | 'failed';
  readonly attempts: number;
  readonly problem: string | null;
  readonly createdAt: Date;
  readonly triedAt: Date | null;
};

/** The newest first. */
export async function listDeliveries(
  database: Database,
  userId: UserId,
  most: number,
): Promise<readonly NewsDeliveryRecord[]> {
  const { rows } = await sql<NewsDeliveryRecord>`
    select d.id, d.channel, d.address_name as name, n.kind, d.status, d.attempts, d.problem, d.created_at as "createdAt",
      d.tried_at as "triedAt"
    from news_deliveries d left join notifications n on n.id = d.notification_id
    where d.user_id = ${userId} order by d.created_at desc, d.id limit ${most}`.execute(database);
  return rows;
}

export type DueNews = {
  readonly id: string;
  readonly userId: UserId;
  readonly addressId: string;
  readonly channel: NewsChannelName;
  readonly name: string;
  readonly sealedAddress: Buffer;
  readonly attempts: number;
  /** Null: a test. */
  readonly notice: { readonly facts: NoticeFacts; readonly deploymentId: DeploymentId | null } | null;
};

/** Undefined once it has ended, or its address is gone. */
export async function findDueNews(database: Database, id: string): Promise<DueNews | undefined> {
  const { rows } = await sql<
    Omit<DueNews, 'id' | 'notice'> & {
      kind: string | null;
      facts: object;
      deploymentId: DeploymentId | null;
    }
  >`
    select d.user_id as "userId", a.id as "addressId", a.channel, a.name, a.sealed_address as "sealedAddress", d.attempts,
      n.kind, n.facts, n.deployment_id as "deploymentId"
    from news_deliveries d join news_addresses a on a.id = d.address_id and a.user_id = d.user_id
    left join notifications n on n.id = d.notification_id
    where d.id = ${id} and d.status = 'waiting'`.execute(database);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { kind, facts, deploymentId, ...due } = row;
  return {
    id,
    ...due,
    notice: kind === null ? null : { facts: { kind, ...facts } as NoticeFacts, deploymentId },
  };
}

type Attempt = {
  readonly id: string;
  readonly status: 'waiting' | 'taken' | 'failed';
  readonly problem: string | null;
  readonly at: Instant;
};

export async function noteNewsAttempt(
  database: Database,
  { id, status, problem, at }: Attempt,
): Promise<void> {
  await sql`
    update news_deliveries set status = ${status}, attempts = attempts + 1, problem = ${problem}, tried_at = ${isoText(at)}
    where id = ${id}`.execute(database);
}
