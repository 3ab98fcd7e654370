import { CONNECTION_INCIDENTS, type ConnectionIncident } from '#engine/incidents/connection-incident.ts';
import type { TradingConnection } from '#records/brokerage/trading-connections.ts';
import { syncIncidents } from '#records/incidents/incidents.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { WallInstant } from '#units/wall-instant.ts';

type Seen = {
  readonly incident: ConnectionIncident | null;
  readonly since: WallInstant;
  /** What the broker or our adapter reported. */
  readonly detail: string;
  readonly now: WallInstant;
};

/** Ends those of the other states. */
export async function saveConnectionIncident(
  trx: Transaction,
  { id, accountId }: TradingConnection,
  { incident, since, detail, now }: Seen,
): Promise<void> {
  const wanted =
    incident === null
      ? []
      : [{ kind: incident, subject: id, accountId, facts: { said: detail }, since } as const];
  await syncIncidents(trx, { connectionId: id, kinds: CONNECTION_INCIDENTS }, wanted, now);
}
