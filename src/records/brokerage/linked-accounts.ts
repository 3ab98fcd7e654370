// Accounts under an adviser that the staff links to clients.
import { isoText, type Instant } from '#units/instant.ts';
import type { BrokerAccountId, BrokerConnectionId, BrokerId, UserId } from '#units/identifiers.ts';
import { activateConnection, findConnectionTo } from './broker-connections.ts';
import type { Database } from '../postgres/database.ts';

type Link = {
  /** Of the connection, unless the client has one to this account already. */
  readonly id: BrokerConnectionId;
  readonly userId: UserId;
  readonly brokerId: BrokerId;
  readonly accountId: BrokerAccountId;
  readonly seal: (connection: BrokerConnectionId) => Buffer;
  /** E-mail of whoever links it. */
  readonly by: string;
  readonly at: Instant;
};

/** In a transaction. An account that is any other client's stays theirs. */
export async function linkAccount(database: Database, link: Link): Promise<'linked' | 'taken'> {
  const { userId, brokerId, accountId, by, at } = link;
  // One linking at a time: what is read below holds until it is written.
  await database.selectFrom('brokers').select('id').where('id', '=', brokerId).forUpdate().execute();
  const other = await database
    .selectFrom('broker_connections')
    .select('id')
    .where('broker_id', '=', brokerId)
    .where('account_id', '=', accountId)
    .where('user_id', '!=', userId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('status', '=', 'active'),
        exists(
          selectFrom('live_deployments as d')
            .select('d.id')
            .whereRef('d.broker_connection_id', '=', 'broker_connections.id'),
        ),
      ]),
    )
    .executeTakeFirst();
  if (other !== undefined) return 'taken';
  const known = await findConnectionTo(database, { userId, brokerId, accountId });
  const id = known ?? link.id;
  if (known === undefined) {
    const primary = await database
      .selectFrom('broker_connections')
      .select('id')
      .where('user_id', '=', userId)
      .where('is_primary', '=', true)
      .where('status', '=', 'active')
      .executeTakeFirst();
    await database
      .insertInto('broker_connections')
      .values({
        id,
        user_id: userId,
        broker_id: brokerId,
        status: 'pending',
        is_primary: primary === undefined,
        created_at: isoText(at),
        expires_at: isoText(at),
      })
      .execute();
  }
  await activateConnection(database, { id, accountId, sealedCredentials: link.seal(id), at });
  await database.updateTable('broker_connections').set({ linked_by: by }).where('id', '=', id).execute();
  return 'linked';
}
