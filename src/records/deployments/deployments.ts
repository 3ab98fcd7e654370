// Deployments as their owners create, control and read them. The trader's changes are in trading-deployments.ts.
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { DeploymentSettings } from '#rules/deployments/setting-ranges.ts';
import type { TripwireChoice, TripwireState } from '#engine/risk/tripwire.ts';
import type { DisconnectPolicy } from '#engine/lifecycle/disconnect-policy.ts';
import type { CommandedStatus } from '#engine/lifecycle/effective-status.ts';
import type { DeploymentStatus, RequestedStatus } from '#engine/lifecycle/status.ts';
import type {
  BrokerConnectionId,
  DeploymentId,
  StrategyId,
  StrategyVersionId,
  UserId,
} from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';
import { NAME_IN_NOTICES } from './name-in-notices.ts';

type NewDeployment = {
  readonly id: DeploymentId;
  readonly userId: UserId;
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId;
  readonly connectionId: BrokerConnectionId;
  /** Of its connection too: the database refuses any other pair. */
  readonly mode: 'practice' | 'real';
  readonly investment: Micro;
  readonly settings: DeploymentSettings;
  readonly disconnectPolicy: DisconnectPolicy;
  readonly tripwireChoice: TripwireChoice;
  /** The account's cash is not known yet: the trader checks it before the first order. */
  readonly awaitsCash: boolean;
  /** Trading clock. */
  readonly at: Instant;
};

/** A pending deployment, all in cash. The caller books the opening entry in the same transaction. */
export async function createDeployment(trx: Transaction<Tables>, deployment: NewDeployment): Promise<void> {
  const { investment, settings, disconnectPolicy } = deployment;
  await trx
    .insertInto('deployments')
    .values({
      id: deployment.id,
      user_id: deployment.userId,
      strategy_id: deployment.strategyId,
      strategy_version_id: deployment.versionId,
      broker_connection_id: deployment.connectionId,
      mode: deployment.mode,
      status: 'pending',
      awaits_cash: deployment.awaitsCash,
      investment_micro: investment,
      return_base_micro: investment,
      stop_loss_percentage: settings.stop_loss_percentage,
      max_allocation_percent: settings.max_allocation_per_trade,
      freeze_on_drawdown_percent: settings.freeze_on_drawdown,
      disconnect_choice: disconnectPolicy.choice,
      disconnect_minutes: disconnectPolicy.minutes,
      tripwire_choice: deployment.tripwireChoice,
      cash_micro: investment,
      equity_micro: investment,
      peak_equity_micro: investment,
      high_water_mark_micro: investment,
      deployed_at: isoText(deployment.at),
    })
    .execute();
}

/** Ids of a person's deployments, newest first. */
export async function listDeploymentIds(
  database: Kysely<Tables>,
  userId: UserId,
): Promise<readonly DeploymentId[]> {
  const rows = await database
    .selectFrom('deployments')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('deployed_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ id }) => id);
}

/** What every act of its owner asks of a deployment first. */
export type OwnDeployment = {
  readonly id: DeploymentId;
  readonly strategyId: StrategyId;
  readonly connectionId: BrokerConnectionId;
  readonly mode: 'practice' | 'real';
  readonly status: DeploymentStatus;
  readonly requestedStatus: RequestedStatus | null;
  readonly investment: Micro;
};

export type OwnDeploymentRow = Pick<
  Selectable<Tables['deployments']>,
  'id' | 'strategy_id' | 'broker_connection_id' | 'mode' | 'status' | 'requested_status' | 'investment_micro'
>;

export function toOwnDeployment(row: OwnDeploymentRow): OwnDeployment {
  return {
    id: row.id,
    strategyId: row.strategy_id,
    connectionId: row.broker_connection_id,
    mode: row.mode,
    status: row.status,
    requestedStatus: row.requested_status,
    investment: parseMicro(row.investment_micro),
  };
}

export type SteeredDeployment = OwnDeployment & {
  readonly settings: DeploymentSettings;
  readonly disconnectPolicy: DisconnectPolicy;
  readonly tripwireChoice: TripwireChoice;
  readonly tripwireState: TripwireState;
};

/** Locks a person's own deployment until the transaction ends. Undefined if unknown or someone else's. */
export async function lockOwnDeployment(
  trx: Transaction<Tables>,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<SteeredDeployment | undefined> {
  if (!isUuid<DeploymentId>(id)) return undefined;
  const row = await trx
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return (
    row && {
      ...toOwnDeployment(row),
      settings: {
        stop_loss_percentage: Number(row.stop_loss_percentage),
        max_allocation_per_trade: Number(row.max_allocation_percent),
        freeze_on_drawdown: Number(row.freeze_on_drawdown_percent),
      },
      disconnectPolicy: { choice: row.disconnect_choice, minutes: row.disconnect_minutes },
      tripwireChoice: row.tripwire_choice,
      tripwireState: row.tripwire_state,
    }
  );
}

/** The state that the owner requests; the trader carries it out. Null withdraws the request. */
export async function requestStatus(
  trx: Transaction<Tables>,
  { id, status }: { readonly id: DeploymentId; readonly status: RequestedStatus | null },
): Promise<void> {
  await trx
    .updateTable('deployments')
    .set({ requested_status: status, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute();
}

type Disconnected = CommandedStatus & {
  readonly id: DeploymentId;
  readonly userId: UserId;
  readonly strategyName: string;
  readonly policy: DisconnectPolicy;
};

/** Locks the live deployments of a connection whose disconnect policy is more than to wait. */
export async function lockDisconnectPolicies(
  trx: Transaction<Tables>,
  connection: BrokerConnectionId,
): Promise<Disconnected[]> {
  const rows = await trx
    .selectFrom('live_deployments as d')
    .innerJoin('strategies as s', 's.id', 'd.strategy_id')
    .select(['d.id', 'd.user_id', 'd.status', 'd.requested_status'])
    .select(sql<string>`${sql.raw(NAME_IN_NOTICES)}`.as('name'))
    .select(['d.disconnect_choice', 'd.disconnect_minutes'])
    .where('d.broker_connection_id', '=', connection)
    .where('d.disconnect_choice', '<>', 'wait')
    .orderBy('d.id')
    .forUpdate('d')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    strategyName: row.name,
    status: row.status,
    requestedStatus: row.requested_status,
    policy: { choice: row.disconnect_choice, minutes: row.disconnect_minutes },
  }));
}

export async function changeSettings(
  trx: Transaction<Tables>,
  {
    id,
    settings,
    disconnectPolicy,
    tripwireChoice,
  }: {
    readonly id: DeploymentId;
    readonly settings: DeploymentSettings;
    readonly disconnectPolicy: DisconnectPolicy;
    readonly tripwireChoice: TripwireChoice;
  },
): Promise<void> {
  await trx
    .updateTable('deployments')
    .set({
      stop_loss_percentage: settings.stop_loss_percentage,
      max_allocation_percent: settings.max_allocation_per_trade,
      freeze_on_drawdown_percent: settings.freeze_on_drawdown,
      disconnect_choice: disconnectPolicy.choice,
      disconnect_minutes: disconnectPolicy.minutes,
      tripwire_choice: tripwireChoice,
      revision: sql`revision + 1`,
    })
    .where('id', '=', id)
    .execute();
}

/** Live deployments that trade over this connection. */
export async function countOpenDeploymentsOf(
  database: Database,
  connectionId: BrokerConnectionId,
): Promise<number> {
  const { count } = await database
    .selectFrom('live_deployments')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('broker_connection_id', '=', connectionId)
    .executeTakeFirstOrThrow();
  return count;
}
