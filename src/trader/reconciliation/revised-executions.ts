import { judgeRevision, type RevisionVerdict } from '#engine/execution/reconciliation/attribute-fills.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { knownOf } from '#records/execution/fills.ts';
import type { Database } from '#records/postgres/database.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';

export async function judgeBooked(
  database: Database,
  accountId: BrokerAccountId,
  execution: BrokerExecution,
): Promise<RevisionVerdict> {
  const { executionId, revisionStem } = execution;
  if (revisionStem == null) return judgeRevision(execution, []);
  const [known] = await knownOf(database, [{ accountId, executionId, revisionStem }]);
  return judgeRevision(execution, known!.revisions);
}
