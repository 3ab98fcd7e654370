// News for connected users: notices and fills by the transaction that wrote them, deployments by their
// version.
import type { Pool } from 'pg';
import type { BrokerAccountId, DeploymentId, NotificationId, OrderId, UserId } from '#units/identifiers.ts';
import { SWITCHES_VERSION } from '../operations/kill-switches.ts';
import { idList } from '../postgres/id-list.ts';
import { type NotificationRecord, notificationRecord } from './notifications.ts';

/** A position in the order in which transactions ended; start with `readStreamPlace`. */
export type StreamPlace = string & { readonly __place: 'stream' };

export async function readStreamPlace(pool: Pool): Promise<StreamPlace> {
  const { rows } = await pool.query<{ place: StreamPlace }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as place',
  );
  return rows[0]!.place;
}

export type StreamedFill = {
  readonly userId: UserId;
  readonly deploymentId: DeploymentId;
  readonly accountId: BrokerAccountId;
  readonly executionId: string;
  readonly orderId: OrderId;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: string;
  readonly commissionMicro: string;
  readonly executedAt: Date;
  readonly bookedAt: Date;
};

type News = {
  readonly place: StreamPlace;
  readonly notifications: readonly (NotificationRecord & { readonly userId: UserId })[];
  readonly fills: readonly StreamedFill[];
};

/** At most this many of each per turn; polling finds the rest. */
const ROWS_MAX = 5_000;

const NEWS_SQL = `
  with here as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as place)
  select place::text as place,
    (select coalesce(json_agg(n order by n.written_in, n.created_at, n.id), '[]') from (
      select id, user_id, deployment_id, kind, facts, decision, read_at, created_at, written_in from notifications
      where written_in >= $1::xid8 and written_in < place and user_id = any($2::uuid[]) limit ${ROWS_MAX}
    ) n) as notifications,
    (select coalesce(json_agg(f order by f.written_in, f."executedAt"), '[]') from (
      select d.user_id as "userId", f.deployment_id as "deploymentId", f.account_id as "accountId",
        f.execution_id as "executionId", f.order_id as "orderId", f.symbol, f.side,
        f.quantity::text, f.price::text, f.commission_micro::text as "commissionMicro", f.executed_at as "executedAt",
        f.booked_at as "bookedAt", f.written_in
      from fills f join deployments d on d.id = f.deployment_id
      where f.written_in >= $1::xid8 and f.written_in < place and d.user_id = any($2::uuid[]) limit ${ROWS_MAX}
    ) f) as fills
  from here`;

type NotificationJson = {
  id: NotificationId;
  user_id: UserId;
  deployment_id: DeploymentId | null;
  kind: string;
  facts: unknown;
  decision: string | null;
  read_at: string | null;
  created_at: string;
};

export async function readNews(
  pool: Pool,
  { since, users }: { readonly since: StreamPlace; readonly users: readonly UserId[] },
): Promise<News> {
  const { rows } = await pool.query<{
    place: StreamPlace;
    notifications: NotificationJson[];
    fills: (Omit<StreamedFill, 'executedAt' | 'bookedAt'> & { executedAt: string; bookedAt: string })[];
  }>(NEWS_SQL, [since, idList(users)]);
  const { place, notifications, fills } = rows[0]!;
  return {
    place,
    notifications: notifications.map((row) => ({
      ...notificationRecord({ ...row, created_at: new Date(row.created_at) }),
      userId: row.user_id,
    })),
    fills: fills.map((fill) => ({
      ...fill,
      executedAt: new Date(fill.executedAt),
      bookedAt: new Date(fill.bookedAt),
    })),
  };
}

type OwnedVersion = {
  readonly id: DeploymentId;
  readonly userId: UserId;
  readonly revision: string;
};

const REVISIONS_SQL = `
  select d.id, d.user_id as "userId", d.revision || '.' || ${SWITCHES_VERSION} || '.' || coalesce(b.xmin::text, '') as revision
  from deployments d left join broker_sessions b on b.connection_id = d.broker_connection_id
  where d.user_id = any($1::uuid[])`;

/** A row of a transaction that had not ended at the place $2: `age` counts transactions back from the newest. */
const isSince = (xmin: string) => `age(${xmin}) <= age($2::xid8::xid)`;
const CHANGED_SQL = `${REVISIONS_SQL} and (${isSince('d.xmin')} or ${isSince('b.xmin')}
  or exists (select from kill_switches k where ${isSince('k.xmin')}))`;

/**
 * Of the deployments of these users: all that changed since the place, and others where an older transaction is still open;
 * each of them without a place.
 */
export async function readRevisions(
  pool: Pool,
  { users, since }: { readonly users: readonly UserId[]; readonly since: StreamPlace | null },
): Promise<readonly OwnedVersion[]> {
  if (users.length === 0) return [];
  const { rows } = await (since === null
    ? pool.query<OwnedVersion>(REVISIONS_SQL, [idList(users)])
    : pool.query<OwnedVersion>(CHANGED_SQL, [idList(users), since]));
  return rows;
}
