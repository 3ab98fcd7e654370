import type { SuspenseEntry } from '#engine/adjustments/suspense-entry.ts';
import { insertSuspenseEntry } from '#records/execution/fills.ts';
import type { Transaction } from '#records/postgres/database.ts';

/** Throws when the entry already exists: then the whole transaction is a repeat. */
export async function suspend(trx: Transaction, entry: SuspenseEntry): Promise<void> {
  if ((await insertSuspenseEntry(trx, entry)) === 'repeated')
    throw new Error(`${entry.kind} ${entry.executionId} is in suspense already`);
}
