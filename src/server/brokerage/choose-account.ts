import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { findOwnConnection, removeConnection } from '#records/brokerage/broker-connections.ts';
import { lockConnection, lockSiblings } from '#records/brokerage/granted-access.ts';
import { accountRefusal } from '#rules/brokerage/choose-account.ts';
import { showConnection } from '../answers/show-connection.ts';
import type { Call } from '../http/call.ts';
import { isRefused, notFound, refuse } from '../http/refusal.ts';
import { connectAccount } from './sign-in/connect-account.ts';

/** The client chooses one of the accounts that a sign-in granted. It replaces another of the same sign-in. */
export const chooseAccount: Call<typeof brokerageEndpoints.chooseBrokerAccount> = async (
  { params, body, caller },
  dependencies,
) => {
  const { records, now } = dependencies;
  const { userId } = caller;
  const own = await findOwnConnection(records.database, { id: params.id, userId });
  if (!own) return notFound();
  if (own.choices === null) return refuse('already_decided', 'The account of this connection is chosen.');
  const accounts = own.choices;
  const chosen = accounts[Number(body.account)];
  if (chosen === undefined)
    return refuse('out_of_range', 'Choose one of the accounts shown.', { field: 'account' });
  const refusal = accountRefusal(chosen);
  if (refusal !== null) return refuse('out_of_range', refusal, { field: 'account' });
  const connected = await records.database.transaction().execute(async (trx) => {
    if (!(await lockConnection(trx, { id: own.id, status: 'choose_account' })))
      return refuse('already_decided', 'The account of this connection is chosen.');
    const siblings = await lockSiblings(trx, { userId, brokerId: own.brokerId, accounts });
    const others = siblings.filter(({ accountId }) => accountId !== chosen.accountId);
    if (others.some(({ isInUse }) => isInUse))
      return refuse('in_use', 'A deployment trades in another of these accounts. Stop the deployment first.');
    for (const { id } of others) await removeConnection(trx, id);
    return connectAccount(trx, own, chosen.accountId, dependencies);
  });
  if (isRefused(connected)) return connected;
  const connection = await findOwnConnection(records.database, { id: connected, userId });
  return connection ? showConnection(connection, now()) : notFound();
};
