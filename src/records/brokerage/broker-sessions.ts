// What the trader last knew of the session behind each broker connection, for the screens. Times are of the real clock.
import { type Kysely, sql } from 'kysely';
import type { BrokerSessionState } from '#rules/brokerage/session-state.ts';
import type { BrokerConnectionId, DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

export type BrokerSessionRecord = {
  readonly connectionId: BrokerConnectionId;
  readonly state: BrokerSessionState;
  readonly since: Instant;
  readonly detail: string;
  /** When a reset should be over. */
  readonly until: Instant | null;
  /** When orders, executions and positions were last all read and booked. */
  readonly reconciledAt: Instant | null;
};

/** As a screen reads it. Times are as PostgreSQL writes them into JSON. */
export type SessionRow = {
  readonly state: BrokerSessionState;
  readonly since: string | null;
  readonly until: string | null;
  readonly reconciled_at: string | null;
};

/**
 * The session b of a connection c as JSON. A permission that is gone means a sign-in that is due, whatever was seen
 * before; null where nobody has looked yet.
 */
export const SESSION_JSON = `case when c.status = 'active' or b.state = 'sign_in_due'
    then case when b.state is not null then json_build_object('state', b.state, 'since', b.since, 'until', b.until,
      'reconciled_at', b.reconciled_at) end
    when c.status = 'revoked' then json_build_object('state', 'sign_in_due', 'since', null, 'until', null,
      'reconciled_at', b.reconciled_at) end`;

/** In these nothing that the broker tells can be relied on. */
const BLIND_STATES: readonly BrokerSessionState[] = ['lost', 'degraded', 'competing', 'sign_in_due'];

/**
 * `since` is kept while the state stays the same; a null `reconciledAt` leaves the last one. `tradingNow` is when it
 * went blind, if it did just now.
 */
export async function saveBrokerSession(
  trx: Kysely<Tables>,
  { connectionId, state, since, detail, until, reconciledAt }: BrokerSessionRecord,
  tradingNow: Instant,
): Promise<void> {
  const blindSince = BLIND_STATES.includes(state) ? isoText(tradingNow) : null;
  const time = (at: Instant | null) => (at === null ? null : isoText(at));
  await sql`
    insert into broker_sessions (connection_id, state, since, detail, until, reconciled_at, blind_since)
    values (${connectionId}, ${state}, ${isoText(since)}, ${detail}, ${time(until)}, ${time(reconciledAt)},
      ${blindSince})
    on conflict (connection_id) do update set
      since = case when broker_sessions.state = excluded.state then broker_sessions.since else excluded.since end,
      state = excluded.state, detail = excluded.detail, until = excluded.until,
      reconciled_at = coalesce(excluded.reconciled_at, broker_sessions.reconciled_at),
      blind_since = coalesce(broker_sessions.blind_since, excluded.blind_since)`.execute(trx);
}

export type BlindChoice = 'wait' | 'pause' | 'close';

export type Woken = {
  readonly deploymentId: DeploymentId;
  readonly userId: UserId;
  readonly strategyName: string;
  readonly choice: Exclude<BlindChoice, 'wait'>;
  /** How long nothing was known, in minutes of the trading clock. */
  readonly minutes: number;
};

/** The broker is read in full again: what owners chose for a silence of this length becomes their wish. */
export async function endBlindness(
  trx: Kysely<Tables>,
  connection: BrokerConnectionId,
  tradingNow: Instant,
): Promise<readonly Woken[]> {
  const { rows: ended } = await sql<{ minutes: number }>`
    with was as (select blind_since from broker_sessions where connection_id = ${connection}
      and blind_since is not null for update)
    update broker_sessions b set blind_since = null from was where b.connection_id = ${connection}
    returning floor(extract(epoch from ${isoText(tradingNow)}::timestamptz - was.blind_since) / 60)::int as minutes`.execute(
    trx,
  );
  const minutes = ended[0]?.minutes;
  if (minutes === undefined) return [];
  const { rows } = await sql<Omit<Woken, 'minutes'>>`
    with chosen as (
      select d.id, s.name, d.blind_choice from deployments d join strategies s on s.id = d.strategy_id
      where d.broker_connection_id = ${connection} and d.blind_minutes between 1 and ${minutes}
        and d.blind_choice <> 'wait' and d.requested_status is null
        and (d.status = 'active' or (d.status in ('paused', 'frozen') and d.blind_choice = 'close'))
      order by d.id for update of d)
    update deployments d set revision = d.revision + 1,
      requested_status = case chosen.blind_choice when 'pause' then 'paused' else 'stopped' end
    from chosen where d.id = chosen.id
    returning d.id as "deploymentId", d.user_id as "userId", chosen.name as "strategyName",
      chosen.blind_choice as choice`.execute(trx);
  return rows.map((row) => ({ ...row, minutes }));
}
