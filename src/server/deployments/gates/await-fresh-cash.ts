import { findFreshCash } from '#records/brokerage/account-cash.ts';
import type { ConnectionRecord } from '#records/brokerage/broker-connections.ts';
import type { Dependencies } from '../../http/dependencies.ts';

/**
 * Where the account's cash is not known freshly, asks the trader for it and waits a moment: a person shall not wait for a
 * broker. Without an answer the deployment is made all the same, and the trader checks its cash before its first order.
 */
export async function awaitFreshCash(
  { id, userId, accountId }: ConnectionRecord,
  { records, brokerQuestions }: Pick<Dependencies, 'records' | 'brokerQuestions'>,
): Promise<void> {
  if (accountId === null || (await findFreshCash(records.database, accountId)) !== null) return;
  await brokerQuestions.ask({ kind: 'cash', connection: { id, userId }, patienceMs: PATIENCE_MS });
}

const PATIENCE_MS = 150;
