// The trader's last known state of the session behind each broker connection, for the screens. Its times are the wall's.
import { type Kysely, sql } from 'kysely';
import type { BrokerSessionState } from '#engine/execution/connection/session-state.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { parseWallInstant, type WallInstant, wallText } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';

type BrokerSessionRecord = {
  readonly connectionId: BrokerConnectionId;
  readonly state: BrokerSessionState;
  readonly since: WallInstant;
  readonly detail: string;
  /** Expected end of a reset. */
  readonly until: WallInstant | null;
  /** When orders, executions and positions were last all read and booked. */
  readonly reconciledAt: WallInstant | null;
};

/** As sent to a screen. Times are as PostgreSQL writes them into JSON. */
export type SessionRow = {
  readonly state: BrokerSessionState;
  readonly since: string | null;
  readonly until: string | null;
  readonly reconciled_at: string | null;
};

/**
 * The session b of a connection c as JSON. A lost permission means a sign-in is due, regardless of the session state;
 * null when the trader has not looked yet.
 */
export const SESSION_JSON = `case when c.status = 'active' or b.state = 'sign_in_due'
    then case when b.state is not null then json_build_object('state', b.state, 'since', b.since, 'until', b.until,
      'reconciled_at', b.reconciled_at) end
    when c.status = 'revoked' then json_build_object('state', 'sign_in_due', 'since', null, 'until', null,
      'reconciled_at', b.reconciled_at) end`;

/** In these states no broker data can be relied on. */
const UNRESPONSIVE_STATES: readonly BrokerSessionState[] = [
  'lost',
  'paced',
  'degraded',
  'competing',
  'sign_in_due',
];

/**
 * `since` is kept while the state is unchanged; a null `reconciledAt` keeps the last one. `tradingNow` is the start of the
 * silence, if it has just begun. Returns the kept `since`.
 */
export async function saveBrokerSession(
  trx: Kysely<Tables>,
  { connectionId, state, since, detail, until, reconciledAt }: BrokerSessionRecord,
  tradingNow: Instant,
): Promise<WallInstant> {
  const unresponsiveSince = UNRESPONSIVE_STATES.includes(state) ? isoText(tradingNow) : null;
  const time = (at: WallInstant | null) => (at === null ? null : wallText(at));
  const { rows } = await sql<{ since: Date }>`
    insert into broker_sessions (connection_id, state, since, detail, until, reconciled_at, unresponsive_since)
    values (${connectionId}, ${state}, ${wallText(since)}, ${detail}, ${time(until)}, ${time(reconciledAt)},
      ${unresponsiveSince})
    on conflict (connection_id) do update set
      since = case when broker_sessions.state = excluded.state then broker_sessions.since else excluded.since end,
      state = excluded.state, detail = excluded.detail, until = excluded.until,
      reconciled_at = coalesce(excluded.reconciled_at, broker_sessions.reconciled_at),
      unresponsive_since = coalesce(broker_sessions.unresponsive_since, excluded.unresponsive_since)
    returning since`.execute(trx);
  return parseWallInstant(rows[0]?.since ?? wallText(since));
}

export type VendorSessions = {
  readonly vendor: string;
  readonly connections: number;
  /** By the trader's last reading. */
  readonly connected: number;
  /** The one whose session last worked, or else the oldest. */
  readonly example: BrokerConnectionId;
  readonly state: BrokerSessionState | null;
  readonly detail: string;
};

/** The connected accounts at each real broker. */
export async function listVendorSessions(database: Kysely<Tables>): Promise<readonly VendorSessions[]> {
  const { rows } = await sql<VendorSessions>`
    select distinct on (b.slug) b.slug as vendor, c.id as example, x.state, coalesce(x.detail, '') as detail,
      count(*) over (partition by b.slug)::int as connections,
      count(*) filter (where x.state = 'connected') over (partition by b.slug)::int as connected
    from broker_connections c join brokers b on b.id = c.broker_id
    left join broker_sessions x on x.connection_id = c.id
    where c.status = 'active' and c.mode = 'real'
    order by b.slug, (x.state = 'connected') desc nulls last, c.connected_at, c.id`.execute(database);
  return rows;
}

/** Ends a silence: returns its length in minutes of the trading clock; null when there was none. */
export async function endSilence(
  trx: Kysely<Tables>,
  connection: BrokerConnectionId,
  tradingNow: Instant,
): Promise<number | null> {
  const { rows } = await sql<{ minutes: number }>`
    with was as (select unresponsive_since from broker_sessions where connection_id = ${connection}
      and unresponsive_since is not null for update)
    update broker_sessions b set unresponsive_since = null from was where b.connection_id = ${connection}
    returning floor(extract(epoch from ${isoText(tradingNow)}::timestamptz - was.unresponsive_since) / 60)::int as minutes`.execute(
    trx,
  );
  return rows[0]?.minutes ?? null;
}
