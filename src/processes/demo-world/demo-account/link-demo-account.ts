// When the broker's accounts are under an adviser, the demo account gets the first sandbox account, linked as staff would
// link one to a client.
import { randomUUID } from 'node:crypto';
import type { Broker } from '#ports/broker.ts';
import { actAs } from '#records/operations/audit-log.ts';
import { findBroker } from '#records/brokerage/brokers.ts';
import type { Database } from '#records/postgres/database.ts';
import { linkAccount } from '#records/brokerage/linked-accounts.ts';
import { credentialsPurpose, type SealingTerms, sealSecret } from '#records/keys/sealed-secret.ts';
import { findRole } from '#records/identity/users.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';

export async function linkDemoAccount(
  email: string,
  {
    database,
    broker,
    keys,
  }: { readonly database: Database; readonly broker: Broker; readonly keys: SealingTerms['keys'] },
): Promise<void> {
  const session = await broker.openSession({});
  if (session.outcome === 'failed') throw new Error(`the sandbox broker does not answer: ${session.reason}`);
  const accounts = await session.value.accounts();
  await session.value.close();
  const account = accounts.outcome === 'ok' ? accounts.value[0] : undefined;
  const [owner, record] = [await findRole(database, email), await findBroker(database, broker.vendor)];
  if (account === undefined || owner === undefined || record === undefined)
    throw new Error('the sandbox broker has no account for the demo account');
  await database.transaction().execute(async (trx) => {
    await actAs(trx, 'staff:first start');
    await linkAccount(trx, {
      id: randomUUID() as BrokerConnectionId,
      userId: owner.id,
      brokerId: record.id,
      accountId: account.accountId,
      seal: (id) => sealSecret('{}', { keys, purpose: credentialsPurpose({ id, vendor: broker.vendor }) }),
      by: 'first start',
      isPaper: null,
      at: instant(Date.now()),
    });
  });
}
