import { syncIncidents } from '#records/incidents/incidents.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

/** An incident while the broker says that the account may not trade; it ends when the broker says so no more. */
export async function saveAccountRestrictions(
  { database, lease, realNow }: TradingContext,
  { connection, session, known }: ActiveConnection,
): Promise<void> {
  const { id: connectionId, accountId } = connection;
  const restrictions = session.accountTerms?.().standing.join(' ') ?? '';
  if (known.restrictions === restrictions) return;
  const wanted =
    restrictions === ''
      ? []
      : [{ kind: 'account_restricted', subject: accountId, accountId, facts: { restrictions } } as const];
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [connectionId]);
    await syncIncidents(trx, { connectionId, kinds: ['account_restricted'] }, wanted, realNow());
  });
  known.restrictions = restrictions;
}
