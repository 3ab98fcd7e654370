// Connections of people to their broker accounts, from the first click to removal.
import { sql } from 'kysely';
import type { GrantedAccount } from '#engine/execution/connection/broker-request.ts';
import type { ConnectionReason } from '#rules/reasons/connection-reason.ts';
import type { BrokerAccountId, BrokerConnectionId, BrokerId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { SESSION_JSON, type SessionRow } from './broker-sessions.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';

type ConnectionStatus = 'pending' | 'choose_account' | 'active' | 'failed' | 'revoked';

export type ConnectionRecord = {
  readonly id: BrokerConnectionId;
  readonly userId: UserId;
  readonly brokerId: BrokerId;
  readonly brokerName: string;
  readonly brokerSlug: string;
  readonly supportedAssets: readonly string[];
  readonly status: ConnectionStatus;
  readonly reason: ConnectionReason | null;
  readonly isPrimary: boolean;
  /** Its owner lets it trade without a subscription to the broker's market data. */
  readonly tradesWithoutMarketData: boolean;
  readonly accountId: BrokerAccountId | null;
  readonly sealedCredentials: Buffer | null;
  /** Practice money, as the broker said; null until access is granted. */
  readonly isPaper: boolean | null;
  /** The accounts to choose from; null in every other state. */
  readonly choices: readonly GrantedAccount[] | null;
  readonly createdAt: Date;
  /** An older pending attempt has failed. */
  readonly expiresAt: Date;
  readonly connectedAt: Date | null;
  /** Null when the trader has not looked at it yet, or no longer needs to. */
  readonly session: SessionRow | null;
};

type NewConnection = {
  readonly id: BrokerConnectionId;
  readonly userId: UserId;
  readonly brokerId: BrokerId;
  readonly isPrimary: boolean;
  readonly stateHash: Buffer;
  readonly requestToken: string;
  readonly at: Instant;
  readonly expiresAt: Instant;
};

export async function createConnection(database: Database, connection: NewConnection): Promise<void> {
  await database
    .insertInto('broker_connections')
    .values({
      id: connection.id,
      user_id: connection.userId,
      broker_id: connection.brokerId,
      status: 'pending',
      is_primary: connection.isPrimary,
      state_hash: connection.stateHash,
      request_token: connection.requestToken,
      created_at: isoText(connection.at),
      expires_at: isoText(connection.expiresAt),
    })
    .execute();
}

const SESSION = sql<SessionRow | null>`(
  select ${sql.raw(SESSION_JSON)} from (select) as one left join broker_sessions b on b.connection_id = c.id
  where exists (
    select from live_deployments d where d.broker_connection_id = c.id))`;

function connections(database: Database) {
  return database
    .selectFrom('broker_connections as c')
    .innerJoin('brokers as b', 'b.id', 'c.broker_id')
    .selectAll('c')
    .select(['b.name as broker_name', 'b.slug as broker_slug', 'b.supported_assets'])
    .select(SESSION.as('session'));
}

/** A person's own connections to brokers, newest attempt or success first. */
export async function listConnections(
  database: Database,
  userId: UserId,
): Promise<readonly ConnectionRecord[]> {
  const rows = await connections(database)
    .where('c.user_id', '=', userId)
    .where('c.mode', '=', 'real')
    .orderBy(sql`greatest(c.created_at, c.connected_at)`, 'desc')
    .execute();
  return rows.map(connectionRecord);
}

/** Undefined for an unknown connection, for someone else's, and for one to the practice venue: no person acts on it. */
export async function findOwnConnection(
  database: Database,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<ConnectionRecord | undefined> {
  if (!isUuid<BrokerConnectionId>(id)) return undefined;
  const row = await connections(database)
    .where('c.id', '=', id)
    .where('c.user_id', '=', userId)
    .where('c.mode', '=', 'real')
    .executeTakeFirst();
  return row && connectionRecord(row);
}

export type TakenAttempt = ConnectionRecord & { readonly requestToken: string };

/** Consumes a state: of several callbacks with it, one gets the attempt. Null when it is used or expired. */
export async function takePendingAttempt(
  database: Database,
  { stateHash, at }: { readonly stateHash: Buffer; readonly at: Instant },
): Promise<TakenAttempt | null> {
  const taken = await database
    .updateTable('broker_connections')
    .set({ state_hash: null })
    .where('state_hash', '=', stateHash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', new Date(at))
    .returning(['id', 'request_token'])
    .executeTakeFirst();
  if (!taken || taken.request_token === null) return null;
  const row = await connections(database).where('c.id', '=', taken.id).executeTakeFirstOrThrow();
  return { ...connectionRecord(row), requestToken: taken.request_token };
}

export async function failConnection(
  database: Database,
  { id, said }: { readonly id: BrokerConnectionId; readonly said: string },
): Promise<void> {
  await database
    .updateTable('broker_connections')
    .set({
      status: 'failed',
      reason_code: 'sign_in_failed',
      reason_said: said,
      request_token: null,
      sealed_credentials: null,
      is_primary: false,
    })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/**
 * The connection that already serves this account for this person, if any; also one whose permission ended under a
 * deployment that still trades, so that signing in again repairs it.
 */
export async function findConnectionTo(
  database: Database,
  { userId, brokerId, accountId }: { userId: UserId; brokerId: BrokerId; accountId: BrokerAccountId },
): Promise<BrokerConnectionId | undefined> {
  const row = await database
    .selectFrom('broker_connections')
    .select('id')
    .where('user_id', '=', userId)
    .where('broker_id', '=', brokerId)
    .where('account_id', '=', accountId)
    .where(({ or, eb, and, exists, selectFrom }) =>
      or([
        eb('status', '=', 'active'),
        and([
          eb('status', '=', 'revoked'),
          exists(
            selectFrom('live_deployments as d')
              .select('d.id')
              .whereRef('d.broker_connection_id', '=', 'broker_connections.id'),
          ),
        ]),
      ]),
    )
    .orderBy('status')
    .executeTakeFirst();
  return row?.id;
}

type Activation = {
  readonly id: BrokerConnectionId;
  readonly accountId: BrokerAccountId;
  readonly sealedCredentials: Buffer;
  /** Null for an account that staff linked. */
  readonly isPaper: boolean | null;
  readonly at: Instant;
};

/** Makes a connection active, or gives an active one fresh credentials. */
export async function activateConnection(database: Database, activation: Activation): Promise<void> {
  await database
    .updateTable('broker_connections')
    .set({
      status: 'active',
      reason_code: null,
      reason_said: null,
      account_id: activation.accountId,
      granted_accounts: null,
      is_paper: activation.isPaper,
      sealed_credentials: activation.sealedCredentials,
      request_token: null,
      connected_at: isoText(activation.at),
    })
    .where('id', '=', activation.id)
    .execute();
}

/** The broker no longer accepts the credentials: they are deleted, and the person must connect again. */
async function revokeConnection(
  database: Database,
  {
    id,
    reason,
  }: { readonly id: BrokerConnectionId; readonly reason: 'permission_rejected' | 'removed_by_owner' },
): Promise<void> {
  await database
    .updateTable('broker_connections')
    .set({
      status: 'revoked',
      reason_code: reason,
      reason_said: null,
      sealed_credentials: null,
      granted_accounts: null,
      is_primary: false,
    })
    .where('id', '=', id)
    .execute();
}

/** Exactly this connection is primary afterwards. */
export async function setPrimaryConnection(
  database: Database,
  { id, userId }: { readonly id: BrokerConnectionId; readonly userId: UserId },
): Promise<void> {
  await database
    .updateTable('broker_connections')
    .set({ is_primary: sql<boolean>`id = ${id}` })
    .where('user_id', '=', userId)
    .execute();
}

export async function clearPrimaryConnection(database: Database, id: BrokerConnectionId): Promise<void> {
  await database.updateTable('broker_connections').set({ is_primary: false }).where('id', '=', id).execute();
}

export async function setWithoutMarketData(
  database: Database,
  { id, isAllowed }: { readonly id: BrokerConnectionId; readonly isAllowed: boolean },
): Promise<void> {
  await database
    .updateTable('broker_connections')
    .set({
      trades_without_market_data: isAllowed,
      without_market_data_since: isAllowed ? sql<Date>`clock_timestamp()` : null,
    })
    .where('id', '=', id)
    .where('trades_without_market_data', '<>', isAllowed)
    .execute();
}

/** A connection that a deployment has ever used is kept, without its credentials; any other is deleted. */
export async function removeConnection(database: Database, id: BrokerConnectionId): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('broker_connections')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deployments').select('id').where('broker_connection_id', '=', id))),
    )
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) await revokeConnection(database, { id, reason: 'removed_by_owner' });
}

type ConnectionRow = Awaited<ReturnType<ReturnType<typeof connections>['executeTakeFirstOrThrow']>>;

function connectionRecord(row: ConnectionRow): ConnectionRecord {
  return {
    id: row.id,
    userId: row.user_id,
    brokerId: row.broker_id,
    brokerName: row.broker_name,
    brokerSlug: row.broker_slug,
    supportedAssets: row.supported_assets,
    status: row.status,
    reason: reasonOf(row),
    isPrimary: row.is_primary,
    tradesWithoutMarketData: row.trades_without_market_data,
    accountId: row.account_id,
    sealedCredentials: row.sealed_credentials,
    isPaper: row.is_paper,
    choices: row.granted_accounts as readonly GrantedAccount[] | null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    connectedAt: row.connected_at,
    session: row.session,
  };
}

function reasonOf({
  reason_code: code,
  reason_said: said,
}: {
  readonly reason_code: ConnectionReason['code'] | null;
  readonly reason_said: string | null;
}): ConnectionReason | null {
  if (code === null) return null;
  return code === 'sign_in_failed' ? { code, said: said ?? '' } : { code };
}
