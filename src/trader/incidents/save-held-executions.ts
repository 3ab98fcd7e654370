import { type HeldExecution, heldExecutionIncident } from '#engine/incidents/held-execution.ts';
import { syncIncidents } from '#records/incidents/incidents.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

/** `held` are all executions of this connection that could not be booked. Without any, asks the records once a session. */
export async function saveHeldExecutions(
  { database, lease, realNow }: TradingContext,
  { connection, known }: ActiveConnection,
  held: readonly HeldExecution[],
): Promise<void> {
  if (held.length === 0 && known.hasHeldExecutions === false) return;
  const { id, accountId } = connection;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [id]);
    const wanted = held.map((one) => heldExecutionIncident(one, accountId));
    await syncIncidents(trx, { connectionId: id, kinds: ['execution_held'] }, wanted, realNow());
  });
  known.hasHeldExecutions = held.length > 0;
}
