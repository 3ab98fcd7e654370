import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { GrantedAccount } from '#engine/execution/connection/broker-request.ts';
import { type ConnectionRecord, failConnection } from '#records/brokerage/broker-connections.ts';
import { lockConnection, lockSiblings, offerAccounts } from '#records/brokerage/granted-access.ts';
import { type AccountDecision, decideAccount } from '#rules/brokerage/choose-account.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { connectAccount } from './connect-account.ts';

/** 'waiting': the trader has not listed the accounts yet; another look settles it. 'settled': it was, before. */
export type SettledSignIn = AccountDecision | { readonly type: 'waiting' | 'settled' };

/**
 * Takes a granted sign-in further, as often as anyone looks at it: asks the trader for its accounts, and connects the only
 * one or offers them. A process that dies in between leaves it for the next look.
 */
export async function settleSignIn(
  attempt: ConnectionRecord,
  patienceMs: number,
  dependencies: Dependencies,
): Promise<SettledSignIn> {
  const { id, userId } = attempt;
  const answer = await dependencies.brokerQuestions.ask({
    kind: 'accounts',
    connection: { id, userId },
    patienceMs,
  });
  if (answer === null) return { type: 'waiting' };
  if (answer.outcome === 'ok') return settle(attempt, answer.accounts, dependencies);
  const said = FINAL_FAILURES[answer.code];
  if (said === undefined) return { type: 'waiting' };
  await failConnection(dependencies.records.database, { id, said });
  return { type: 'fail', said };
}

function settle(
  attempt: ConnectionRecord,
  accounts: readonly GrantedAccount[],
  dependencies: Dependencies,
): Promise<SettledSignIn> {
  const { id, userId, brokerId } = attempt;
  return dependencies.records.database.transaction().execute(async (trx) => {
    if (!(await lockConnection(trx, { id, status: 'pending' }))) return { type: 'settled' };
    const siblings = await lockSiblings(trx, { userId, brokerId, accounts });
    const inUse = new Set(siblings.filter(({ isInUse }) => isInUse).map(({ accountId }) => accountId));
    const decision = decideAccount(accounts, inUse);
    if (decision.type === 'connect')
      await connectAccount(trx, attempt, decision.account.accountId, dependencies);
    else if (decision.type === 'choose') await offerAccounts(trx, { id, accounts });
    else await failConnection(trx, { id, said: decision.said });
    return decision;
  });
}

/** With any other failure the accounts are asked for again while the sign-in lasts: a new one costs the client more. */
const FINAL_FAILURES: Partial<Record<BrokerFailureCode, string>> = {
  unauthorized: 'The broker did not accept the sign-in. Please connect again.',
  refused: 'The broker refused the connection.',
};
