// Accounts that are linked to their owners without a sign-in at the broker.
import { isoText, type Instant } from '#units/instant.ts';
import type { BrokerAccountId, BrokerConnectionId, BrokerId, UserId } from '#units/identifiers.ts';
import { activateConnection, findConnectionTo } from './broker-connections.ts';
import type { Database } from '../postgres/database.ts';

type Link = {
  /** The connection's id, unless the client already has one to this account. */
  readonly id: BrokerConnectionId;
  readonly userId: UserId;
  readonly brokerId: BrokerId;
  readonly accountId: BrokerAccountId;
  readonly seal: (connection: BrokerConnectionId) => Buffer;
  /** E-mail of the staff member who links it, or what else does. */
  readonly by: string;
  /** Null where the broker does not say. */
  readonly isPaper: boolean | null;
  readonly at: Instant;
};

/** Runs in a transaction. An account that belongs to another client stays theirs. */
export async function linkAccount(database: Database, link: Link): Promise<'linked' | 'taken'> {
  const { userId, brokerId, accountId, by, isPaper, at } = link;
  // Links are serialised: what is read below holds until it is written.
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
  await activateConnection(database, { id, accountId, sealedCredentials: link.seal(id), isPaper, at });
  await database.updateTable('broker_connections').set({ linked_by: by }).where('id', '=', id).execute();
  return 'linked';
}

/** Another account that this person ever linked at the broker; null when there is none. */
export async function linkedElsewhere(
  database: Database,
  { userId, brokerId, accountId }: Pick<Link, 'userId' | 'brokerId' | 'accountId'>,
): Promise<BrokerAccountId | null> {
  const other = await database
    .selectFrom('broker_connections')
    .select('account_id')
    .where('user_id', '=', userId)
    .where('broker_id', '=', brokerId)
    .where('account_id', '!=', accountId)
    .executeTakeFirst();
  return other?.account_id ?? null;
}
