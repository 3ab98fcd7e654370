// What proposals about incidents are about, as it is now: for the desk's lists, and for a decision.
import { type Kysely, sql } from 'kysely';
import type {
  IgnoreRefusal,
  UnreadList,
  UnreadReason,
} from '#engine/execution/reconciliation/unread-rows.ts';
import { positionSubject, type UnprotectedPosition } from '#engine/execution/stops/unprotected-position.ts';
import type { Side } from '#engine/order/order.ts';
import type { IncidentAction } from '#rules/operations/proposal-action.ts';
import type { ExecutionId, OrderId, Symbol } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity, type Quantity } from '#units/quantity.ts';
import type { UnreadEffect } from '../execution/unread-rows.ts';
import { listEveryUnprotected, listUnprotectedOfAccount } from '../execution/unprotected-positions.ts';
import type { Tables } from '../tables.ts';
import { findDifferingBooks } from '../books/differing-books.ts';
import { findQuarantined } from './quarantined-deployments.ts';

type Subject = { readonly accountId: string; readonly subject: string; readonly seen: string };

export type DeskRow = Subject & {
  readonly brokerName: string;
  readonly clients: readonly string[];
  readonly list: UnreadList;
  readonly part: UnreadReason;
  readonly raw: string;
  readonly effect: UnreadEffect;
  readonly refusal: IgnoreRefusal | null;
  readonly symbols: readonly Symbol[];
  readonly since: Date;
};

/** Of connections that trade; a row that several connections to an account show is one. */
export async function listDeskRows(database: Kysely<Tables>, max: number): Promise<readonly DeskRow[]> {
  const { rows } = await sql<DeskRow>`
    select * from (select distinct on (r.account_id, r.list, r.key) r.account_id as "accountId",
        r.list || ' ' || r.key as subject, r.content_hash as seen, b.name as "brokerName",
        array(select distinct u.email::text from broker_connections o join users u on u.id = o.user_id
          where o.account_id = r.account_id order by 1) as clients,
        r.list, r.reason as part, r.raw, r.effect, r.ignore_refusal as refusal, r.symbols, r.first_seen_at as since
      from unread_rows r join broker_connections c on c.id = r.connection_id join brokers b on b.id = c.broker_id
      where ${IS_SHOWN}
      order by r.account_id, r.list, r.key, r.last_seen_at desc) x
    order by array_position('{unsure,kept,foreign,ignored}'::text[], effect), since, subject limit ${max}`.execute(
    database,
  );
  return rows;
}

const IS_SHOWN = sql`r.ended_at is null
  and exists (select from live_deployments d where d.broker_connection_id = r.connection_id)`;

export type MissingCommission = Subject & {
  readonly subject: ExecutionId;
  readonly brokerName: string;
  readonly deploymentId: string;
  readonly client: string;
  readonly strategyName: string;
  readonly symbol: Symbol;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: number;
  readonly estimate: Micro;
  /** Trading clock. */
  readonly executedAt: Date;
};

/** Fills of before then with our estimate for a commission, the oldest first. */
export async function listMissingCommissions(
  database: Kysely<Tables>,
  before: Instant,
  max: number,
): Promise<readonly MissingCommission[]> {
  const { rows } = await sql<
    Omit<MissingCommission, 'quantity' | 'estimate'> & { quantity: string; estimate: string }
  >`
    select f.account_id as "accountId", f.execution_id as subject, f.commission_revision::text as seen,
      b.name as "brokerName", f.deployment_id as "deploymentId", u.email as client, s.name as "strategyName",
      f.symbol, f.side, f.quantity::text, f.price::float8 as price, f.commission_micro::text as estimate,
      f.executed_at as "executedAt"
    from fills f join deployments d on d.id = f.deployment_id join users u on u.id = d.user_id
      join strategies s on s.id = d.strategy_id join orders o on o.id = f.order_id
      join broker_connections c on c.id = o.broker_connection_id join brokers b on b.id = c.broker_id
    where f.is_provisional and f.executed_at <= ${isoText(before)} and ${IS_STANDING}
    order by f.executed_at, f.execution_id limit ${max}`.execute(database);
  return rows.map((row) => ({
    ...row,
    quantity: parseQuantity(row.quantity),
    estimate: parseMicro(row.estimate),
  }));
}

/** A fill f that no adjustment has undone or is to undo. */
const IS_STANDING = sql`not exists (select from adjustments k where k.account_id = f.account_id
  and k.undoes_execution = f.execution_id and k.status in ('open', 'approved', 'applied'))`;

export type DeskPosition = Subject &
  Pick<UnprotectedPosition, 'deploymentId' | 'symbol' | 'reason' | 'refusals'> & {
    readonly brokerName: string;
    readonly client: string;
    readonly strategyName: string;
    readonly quantity: Quantity;
    readonly refusedStop: OrderId | null;
  };

/** Positions without their stop, acknowledged ones too. */
export async function listDeskPositions(
  database: Kysely<Tables>,
  max: number,
): Promise<readonly DeskPosition[]> {
  const found = (await listEveryUnprotected(database)).slice(0, max);
  const { rows } = await sql<
    Pick<DeskPosition, 'accountId' | 'subject' | 'brokerName' | 'client' | 'strategyName'> & {
      quantity: string;
    }
  >`
    select c.account_id as "accountId", d.id || ' ' || p.symbol as subject, b.name as "brokerName", u.email as client,
      s.name as "strategyName", p.quantity::text
    from deployments d join positions p on p.deployment_id = d.id join users u on u.id = d.user_id
      join strategies s on s.id = d.strategy_id join broker_connections c on c.id = d.broker_connection_id
      join brokers b on b.id = c.broker_id
    where d.id::text = any(${found.map(({ deploymentId }) => deploymentId)}::text[])`.execute(database);
  const bySubject = new Map(rows.map((row) => [row.subject, row]));
  return found.flatMap((one) => {
    const row = bySubject.get(positionSubject(one));
    return row === undefined ? [] : [{ ...one, ...row, quantity: parseQuantity(row.quantity) }];
  });
}

export type PresentSubject = {
  readonly seen: string;
  readonly refusal: IgnoreRefusal | null;
  /** Of a position: the refused stop that another try would follow. */
  readonly refusedStop: OrderId | null;
};

/** Undefined once there is nothing to decide. */
export async function findPresentSubject(
  trx: Kysely<Tables>,
  {
    action,
    accountId,
    subject,
  }: Pick<Subject, 'accountId' | 'subject'> & { readonly action: IncidentAction },
): Promise<PresentSubject | undefined> {
  if (action === 'acknowledge') {
    const found = (await listUnprotectedOfAccount(trx, accountId)).find(
      (one) => positionSubject(one) === subject,
    );
    return found && { seen: found.seen, refusal: null, refusedStop: found.refusedStop };
  }
  if (action === 'release' || action === 'rebuild_books') {
    const found = await (action === 'release' ? findQuarantined : findDifferingBooks)(trx, subject);
    return found?.accountId === accountId
      ? { seen: found.seen, refusal: null, refusedStop: null }
      : undefined;
  }
  const query =
    action === 'ignore_row'
      ? sql<Omit<PresentSubject, 'refusedStop'>>`
        select r.content_hash as seen, r.ignore_refusal as refusal from unread_rows r
        where r.account_id = ${accountId} and r.list || ' ' || r.key = ${subject} and r.effect <> 'ignored' and ${IS_SHOWN}
        order by r.last_seen_at desc limit 1`
      : sql<Omit<PresentSubject, 'refusedStop'>>`
        select f.commission_revision::text as seen, null as refusal from fills f
        where f.account_id = ${accountId} and f.execution_id = ${subject} and f.is_provisional and ${IS_STANDING}`;
  const [found] = (await query.execute(trx)).rows;
  return found && { ...found, refusedStop: null };
}

/** The first wish for another try after this refusal counts. */
export async function insertStopRetry(
  trx: Kysely<Tables>,
  retry: { readonly stop: OrderId; readonly because: string; readonly by: string },
): Promise<void> {
  await sql`
    insert into stop_retries (order_id, because, asked_by) values (${retry.stop}, ${retry.because}, ${retry.by})
    on conflict do nothing`.execute(trx);
}
