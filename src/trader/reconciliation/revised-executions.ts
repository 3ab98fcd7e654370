// A broker may tell an execution anew, under an id with the same stem: at another price, of another quantity, or taken
// back. It is one execution all the same: the revision that was booked first stays booked, and a later one waits for a
// person, who corrects the books.
import type { BrokerExecution } from '#ports/broker.ts';
import type { Database } from '#records/postgres/database.ts';
import { knownRevisions } from '#records/execution/fills.ts';
import type { BrokerAccountId, ExecutionId } from '#units/identifiers.ts';

/** Whether one of these is a later revision of the same execution. */
export function isOutdated(
  { executionId, revisionStem }: BrokerExecution,
  ids: readonly ExecutionId[],
): boolean {
  return revisionStem != null && ids.some((id) => id.startsWith(revisionStem) && id > executionId);
}

/**
 * Asked in the transaction that books, under the lock of the order: all revisions of an execution are of one order.
 * 'forget': a later one is booked, or it takes back what never was.
 */
export async function judgeRevision(
  database: Database,
  accountId: BrokerAccountId,
  execution: BrokerExecution,
): Promise<'book' | 'forget' | { readonly held: string }> {
  const { executionId, revisionStem, quantity } = execution;
  if (revisionStem == null) return 'book';
  const known = await knownRevisions(database, accountId, revisionStem);
  if (isOutdated(execution, known)) return 'forget';
  const booked = known.toSorted().findLast((id) => id < executionId);
  if (booked === undefined) return quantity === 0 ? 'forget' : 'book';
  return { held: `it ${quantity === 0 ? 'takes back' : 'changes'} the execution ${booked}, which is booked` };
}
