// A sign-in whose access the broker has granted, from the credentials to the account that is connected.
import { sql } from 'kysely';
import type { GrantedAccount } from '#engine/execution/connection/broker-request.ts';
import type { BrokerAccountId, BrokerConnectionId, BrokerId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

type Grant = {
  readonly id: BrokerConnectionId;
  readonly sealedCredentials: Buffer;
  readonly isPaper: boolean;
  /** Until then the trader may list its accounts. */
  readonly expiresAt: Instant;
};

/** The request token is used up: from here on the credentials are all there is. */
export async function grantAccess(database: Database, grant: Grant): Promise<void> {
  await database
    .updateTable('broker_connections')
    .set({
      sealed_credentials: grant.sealedCredentials,
      is_paper: grant.isPaper,
      request_token: null,
      expires_at: isoText(grant.expiresAt),
    })
    .where('id', '=', grant.id)
    .where('status', '=', 'pending')
    .execute();
}

/** Holds the connection until the transaction ends. False when it is in another state by now. */
export async function lockConnection(
  trx: Database,
  { id, status }: { readonly id: BrokerConnectionId; readonly status: 'pending' | 'choose_account' },
): Promise<boolean> {
  const row = await trx
    .selectFrom('broker_connections')
    .select('status')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.status === status;
}

export async function offerAccounts(
  trx: Database,
  { id, accounts }: { readonly id: BrokerConnectionId; readonly accounts: readonly GrantedAccount[] },
): Promise<void> {
  await trx
    .updateTable('broker_connections')
    .set({ status: 'choose_account', granted_accounts: JSON.stringify(accounts) })
    .where('id', '=', id)
    .execute();
}

type Sibling = {
  readonly id: BrokerConnectionId;
  readonly accountId: BrokerAccountId;
  readonly isInUse: boolean;
};

/**
 * The client's connections to any of these accounts: they belong to the same sign-in at the broker, which has one
 * session. Locks them until the transaction ends.
 */
export async function lockSiblings(
  trx: Database,
  sign: {
    readonly userId: UserId;
    readonly brokerId: BrokerId;
    readonly accounts: readonly GrantedAccount[];
  },
): Promise<readonly Sibling[]> {
  const { rows } = await sql<{ id: BrokerConnectionId; account_id: BrokerAccountId; is_in_use: boolean }>`
    select c.id, c.account_id, exists (select from live_deployments d where d.broker_connection_id = c.id) as is_in_use
    from broker_connections c
    where c.user_id = ${sign.userId} and c.broker_id = ${sign.brokerId} and c.status in ('active', 'revoked')
      and c.account_id = any(${sign.accounts.map(({ accountId }) => accountId)}::text[])
    order by c.id for update of c`.execute(trx);
  return rows.map((row) => ({ id: row.id, accountId: row.account_id, isInUse: row.is_in_use }));
}
