import { judgeRevision, type RevisionVerdict } from '#engine/execution/reconciliation/attribute-fills.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { knownRevisions } from '#records/execution/fills.ts';
import type { Database } from '#records/postgres/database.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';

/** In the booking transaction, under the lock of the order: all revisions of an execution belong to one order. */
export async function judgeBooked(
  database: Database,
  accountId: BrokerAccountId,
  execution: BrokerExecution,
): Promise<RevisionVerdict> {
  const { revisionStem } = execution;
  return judgeRevision(
    execution,
    revisionStem == null ? [] : await knownRevisions(database, accountId, revisionStem),
  );
}
