// What the trader last knew of the session behind each broker connection, for the screens. Times are of the real clock.
import { type Kysely, sql } from 'kysely';
import type { BrokerSessionState } from '#rules/brokerage/session-state.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import type { Tables } from './tables.ts';

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

/** `since` is kept while the state stays the same; a null `reconciledAt` leaves the last one. */
export async function saveBrokerSession(
  trx: Kysely<Tables>,
  { connectionId, state, since, detail, until, reconciledAt }: BrokerSessionRecord,
): Promise<void> {
  const time = (at: Instant | null) => (at === null ? null : isoText(at));
  await sql`
    insert into broker_sessions (connection_id, state, since, detail, until, reconciled_at)
    values (${connectionId}, ${state}, ${isoText(since)}, ${detail}, ${time(until)}, ${time(reconciledAt)})
    on conflict (connection_id) do update set
      since = case when broker_sessions.state = excluded.state then broker_sessions.since else excluded.since end,
      state = excluded.state, detail = excluded.detail, until = excluded.until,
      reconciled_at = coalesce(excluded.reconciled_at, broker_sessions.reconciled_at)`.execute(trx);
}

/** Those that have been looked at. */
export async function listBrokerSessions(
  database: Kysely<Tables>,
  connections: readonly BrokerConnectionId[],
): Promise<ReadonlyMap<BrokerConnectionId, BrokerSessionRecord>> {
  if (connections.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select connection_id, state, since, detail, until, reconciled_at from broker_sessions
    where connection_id = any(${connections}::uuid[])`.execute(database);
  const time = (at: Date | null) => (at === null ? null : parseInstant(at));
  return new Map(
    rows.map((row) => [
      row.connection_id as BrokerConnectionId,
      {
        connectionId: row.connection_id as BrokerConnectionId,
        state: row.state,
        since: parseInstant(row.since),
        detail: row.detail,
        until: time(row.until),
        reconciledAt: time(row.reconciled_at),
      },
    ]),
  );
}

type Row = {
  connection_id: string;
  state: BrokerSessionState;
  since: Date;
  detail: string;
  until: Date | null;
  reconciled_at: Date | null;
};
