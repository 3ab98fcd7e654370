import {
  activateConnection,
  type ConnectionRecord,
  findConnectionTo,
  removeConnection,
  setPrimaryConnection,
} from '#records/brokerage/broker-connections.ts';
import { credentialsPurpose, openSecret, sealSecret } from '#records/keys/sealed-secret.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId, BrokerConnectionId } from '#units/identifiers.ts';
import type { Dependencies } from '../../http/dependencies.ts';

/**
 * Makes the account of a granted sign-in the client's connection; returns its id. An account that this user connected
 * before keeps its connection, with the new credentials.
 */
export async function connectAccount(
  trx: Transaction,
  attempt: ConnectionRecord,
  accountId: BrokerAccountId,
  { keys, now }: Pick<Dependencies, 'keys' | 'now'>,
): Promise<BrokerConnectionId> {
  const { userId, brokerId, brokerSlug: vendor, sealedCredentials: sealed } = attempt;
  if (sealed === null) throw new Error('a granted sign-in has credentials');
  const known = await findConnectionTo(trx, { userId, brokerId, accountId });
  const id = known ?? attempt.id;
  const purpose = credentialsPurpose({ id: attempt.id, vendor });
  const credentials = await openSecret(sealed, { keys, purpose });
  const sealedCredentials = sealSecret(credentials, { keys, purpose: credentialsPurpose({ id, vendor }) });
  await activateConnection(trx, { id, accountId, sealedCredentials, isPaper: attempt.isPaper, at: now() });
  if (known) await removeConnection(trx, attempt.id);
  if (attempt.isPrimary) await setPrimaryConnection(trx, { id, userId });
  return id;
}
