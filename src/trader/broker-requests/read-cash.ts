import { claimedCash } from '#engine/execution/connection/account-cash.ts';
import type { BrokerSession } from '#ports/broker.ts';
import {
  type CashDue,
  lockAccountCash,
  readClaims,
  readDatabaseClock,
  saveAccountCash,
} from '#records/brokerage/account-cash.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import type { ShardLease } from '../leases/shard-lease.ts';

/** The one session of a connected account; throws BrokerUnavailable. */
export type FindSession = (connection: {
  readonly id: BrokerConnectionId;
  readonly vendor: string;
  readonly sealedCredentials: Buffer;
}) => Promise<BrokerSession>;

type Reader = { readonly handle: DatabaseHandle; readonly findSession: FindSession };

/** Asks the broker for an account's cash and saves it with what deployments claim of it. Throws BrokerUnavailable. */
export async function readCash(
  { handle: { database }, findSession }: Reader,
  lease: ShardLease,
  due: CashDue,
): Promise<void> {
  const { id, accountId } = due;
  const session = await findSession(due);
  const readAt = await readDatabaseClock(database);
  const before = await readClaims(database, accountId);
  const { cash } = valueOf('cash', await session.cash(accountId));
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [id]);
    await lockAccountCash(trx, accountId);
    const claimed = claimedCash(before, await readClaims(trx, accountId));
    await saveAccountCash(trx, { accountId, cash, claimed, readAt });
  });
}
