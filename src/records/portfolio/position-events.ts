// Splits, dividends, swaps, expiries and adjustments as they were applied to deployments, and which
// sessions have been processed.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { AppliedSessions } from '#engine/end-of-day/missed-actions.ts';
import type { Holder } from '#engine/end-of-day/session-holders.ts';
import type { Adjustment } from '#engine/market/adjustment.ts';
import type { CoinFee, PositionEvent } from '#engine/market/position-event.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { BrokerConnectionId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity, type Quantity, quantityText, ZERO_QUANTITY } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

type PositionEventRecord = {
  readonly deploymentId: DeploymentId;
  /** The session after whose close it takes effect. */
  readonly date: IsoDate;
  readonly event: PositionEvent | CoinFee | Adjustment;
  readonly entitled: Quantity;
  /** In US dollars. */
  readonly realized: Micro;
  readonly at: Instant;
  /**
   * The late execution that the event makes up for, as account and execution id; empty for the event of the session itself.
   * For an adjustment: the id of its proposal.
   */
  readonly execution: string;
};

/** The position just before an event. */
export type HeldBefore = { readonly quantity: Quantity; readonly cost: Micro };

/** 'repeated' when the same event was already applied to this deployment; nothing is written then. */
export async function insertPositionEvent(
  trx: Transaction<Tables>,
  { deploymentId, date, event, entitled, realized, at, execution }: PositionEventRecord,
  held: HeldBefore | undefined,
): Promise<'booked' | 'repeated'> {
  const inserted = await sql`
    insert into position_events (deployment_id, symbol, kind, date, event, entitled, realized_micro, after_entry, at,
      execution, held, cost_micro)
    select ${deploymentId}, ${event.symbol}, ${event.type}, ${date}, ${JSON.stringify(event)}::jsonb,
      ${quantityText(entitled)}::numeric, ${String(realized)}::bigint,
      coalesce((select max(id) from ledger_entries where deployment_id = ${deploymentId}), 0), ${isoText(at)},
      ${execution}, ${quantityText(held?.quantity ?? ZERO_QUANTITY)}::numeric, ${String(held?.cost ?? 0)}::bigint
    on conflict do nothing`.execute(trx);
  return inserted.numAffectedRows === 1n ? 'booked' : 'repeated';
}

export type BookedPositionEvent = PositionEventRecord & { readonly afterEntry: number };

/** In the order of application. */
export async function listPositionEvents(
  database: Kysely<Tables>,
  id: DeploymentId,
): Promise<BookedPositionEvent[]> {
  const { rows } = await sql<EventRow>`
    select date::text, event, entitled::text, realized_micro, after_entry::text, at, execution
    from position_events where deployment_id = ${id} order by id`.execute(database);
  return rows.map((row) => ({
    deploymentId: id,
    date: row.date as IsoDate,
    event: row.event,
    entitled: parseQuantity(row.entitled),
    realized: parseMicro(row.realized_micro),
    at: parseInstant(row.at),
    execution: row.execution,
    afterEntry: Number(row.after_entry),
  }));
}

/**
 * Until the transaction ends. 'shared' keeps sessions of a calendar from being marked as processed, for a booking of an
 * execution from before the end of one; 'alone' waits for all such bookings.
 */
export async function lockEndOfDay(
  trx: Transaction<Tables>,
  calendar: CalendarId,
  how: 'shared' | 'alone',
): Promise<void> {
  const lock = sql.raw(how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`select ${lock}(hashtextextended(${`end of day ${calendar}`}, 0))`.execute(trx);
}

/** The splits, dividends or swaps that a deployment's holding of an instrument already includes. */
export async function findAppliedSessions(
  trx: Transaction<Tables>,
  { deploymentId, connectionId }: { deploymentId: DeploymentId; connectionId: BrokerConnectionId },
  { symbol, calendar, kind }: { symbol: Symbol; calendar: CalendarId; kind: 'split' | 'dividend' | 'swap' },
): Promise<AppliedSessions> {
  await lockEndOfDay(trx, calendar, 'shared');
  const { rows } = await sql<{ processed: string | null; sessions: string[] }>`
    select (select max(date)::text from processed_sessions
        where calendar = ${calendar} and shard = shard_of(${connectionId})) as processed,
      array(select date::text from position_events
        where deployment_id = ${deploymentId} and symbol = ${symbol} and kind = ${kind}) as sessions`.execute(
    trx,
  );
  const { processed, sessions } = rows[0]!;
  return { processed: processed as IsoDate | null, sessions: new Set(sessions as IsoDate[]) };
}

/** The units that were swapped over the end of each session, those of late executions with them. */
export async function sumSwapped(
  trx: Transaction<Tables>,
  deployment: DeploymentId,
  symbol: Symbol,
): Promise<ReadonlyMap<IsoDate, Quantity>> {
  const { rows } = await sql<{ date: IsoDate; units: string }>`
    select date::text, sum(entitled)::text as units from position_events
    where deployment_id = ${deployment} and symbol = ${symbol} and kind = 'swap' group by date`.execute(trx);
  return new Map(rows.map(({ date, units }) => [date, parseQuantity(units)]));
}

/** Holders at an instant: current holdings, less what was traded or corrected since. */
export async function listHoldersAt(
  database: Kysely<Tables>,
  at: Instant,
  of: { readonly shards: readonly number[] } | { readonly deploymentId: DeploymentId },
): Promise<Holder[]> {
  const [one, asked] =
    'shards' in of
      ? [sql`true`, sql`shard_of(d.broker_connection_id) = any(${of.shards}::int[])`]
      : [sql`deployment_id = ${of.deploymentId}`, sql`true`];
  const { rows } = await sql<{ deployment_id: DeploymentId; symbol: Symbol; entitled: string }>`
    with later as (
      select deployment_id, symbol, sum(units) as traded from (
        select deployment_id, symbol, case side when 'buy' then quantity else -quantity end as units
        from fills where executed_at > ${isoText(at)} and ${one}
        union all
        select deployment_id, symbol, entitled from position_events
        where kind in ('adjustment', 'coin_fee') and at > ${isoText(at)} and ${one}) moved
      group by deployment_id, symbol),
    held as (select deployment_id, symbol, quantity from positions where ${one})
    select coalesce(p.deployment_id, l.deployment_id) as deployment_id, coalesce(p.symbol, l.symbol) as symbol,
      (coalesce(p.quantity, 0) - coalesce(l.traded, 0))::text as entitled
    from held p full join later l on l.deployment_id = p.deployment_id and l.symbol = p.symbol
    join deployments d on d.id = coalesce(p.deployment_id, l.deployment_id)
    where coalesce(p.quantity, 0) <> coalesce(l.traded, 0) and ${asked}
    order by 1, 2`.execute(database);
  return rows.map((row) => ({
    deploymentId: row.deployment_id,
    symbol: row.symbol,
    entitled: parseQuantity(row.entitled),
  }));
}

/** The last session of each calendar whose end of day has been processed for all these shards. */
export async function listProcessedSessions(
  database: Kysely<Tables>,
  shards: readonly number[],
): Promise<Map<CalendarId, IsoDate>> {
  const { rows } = await sql<{ calendar: string; date: string }>`
    select calendar, min(date)::text as date from processed_sessions where shard = any(${shards}::int[])
    group by calendar`.execute(database);
  return new Map(rows.map((row) => [row.calendar as CalendarId, row.date as IsoDate]));
}

export async function saveProcessedSession(
  database: Kysely<Tables>,
  { calendar, date, shards }: { calendar: CalendarId; date: IsoDate; shards: readonly number[] },
): Promise<void> {
  await sql`
    insert into processed_sessions (calendar, date, shard)
    select ${calendar}, ${date}::date, shard from unnest(${shards}::int[]) as s (shard) order by shard
    on conflict (calendar, shard) do update set date = greatest(processed_sessions.date, excluded.date)`.execute(
    database,
  );
}

type EventRow = {
  date: string;
  event: PositionEvent | CoinFee | Adjustment;
  entitled: string;
  realized_micro: string;
  after_entry: string;
  at: Date;
  execution: string;
};
