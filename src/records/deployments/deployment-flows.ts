// Money added to a deployment and withdrawn from it after its start: requests, and what became of them. Whoever writes one holds the
// lock of the deployment's row.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { FlowDecision } from '#engine/execution/flows/decide-flow.ts';
import type { FlowKind, FlowReason, FlowStatus, PendingFlow } from '#engine/execution/flows/flow.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import type { BrokerAccountId, DeploymentId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import { IS_SETTLED } from '../postgres/settled.ts';
import type { Tables } from '../tables.ts';

type NewFlow = {
  readonly id: string;
  readonly deploymentId: DeploymentId;
  readonly kind: FlowKind;
  readonly requested: Micro;
  /** Trading clock. */
  readonly at: Instant;
};

/** False where one is pending already. A withdrawal counts as leaving from now on: nothing more is bought with it. */
export async function requestFlow(trx: Transaction<Tables>, flow: NewFlow): Promise<boolean> {
  const { id, deploymentId, kind, requested, at } = flow;
  const { rows } = await sql<{ id: string }>`
    insert into deployment_flows (id, deployment_id, kind, requested_micro, requested_at)
    values (${id}, ${deploymentId}, ${kind}, ${requested}, ${isoText(at)})
    on conflict (deployment_id) where status = 'pending' and repeats is null do nothing returning id`.execute(
    trx,
  );
  if (rows.length === 0) return false;
  await noteWithdrawing(trx, { deploymentId, kind, change: requested });
  return true;
}

export type FlowToRepeat = {
  /** Of the flow that is repeated. */
  readonly id: string;
  readonly kind: FlowKind;
  readonly moved: Micro;
  /** The practice deployment that goes on beside the one of the flow. */
  readonly shadow: DeploymentId;
};

/** Flows of real deployments that their shadows in these shards have not repeated, oldest first. */
export async function listFlowsToRepeat(
  database: Kysely<Tables>,
  shards: readonly number[],
): Promise<readonly FlowToRepeat[]> {
  const { rows } = await sql<{ id: string; kind: FlowKind; moved: string; shadow: DeploymentId }>`
    select f.id, f.kind, f.moved_micro as moved, d.id as shadow
    from live_deployments d join deployment_flows f on f.deployment_id = d.shadow_of and f.status = 'done'
    where d.shadow_of is not null and shard_of(d.broker_connection_id) = any(${shards}::int[])
      and not exists (select from deployment_flows r where r.repeats = f.id)
    order by f.ended_at, f.requested_at, f.created_at, f.id`.execute(database);
  return rows.map((row) => ({ ...row, moved: parseMicro(row.moved) }));
}

/** Once, however often it is asked. */
export async function repeatFlow(
  trx: Transaction<Tables>,
  { id: repeats, kind, moved, shadow }: FlowToRepeat,
  { id, at }: { readonly id: string; readonly at: Instant },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into deployment_flows (id, deployment_id, kind, requested_micro, requested_at, repeats)
    values (${id}, ${shadow}, ${kind}, ${moved}, ${isoText(at)}, ${repeats})
    on conflict (repeats) do nothing returning id`.execute(trx);
  if (rows.length > 0) await noteWithdrawing(trx, { deploymentId: shadow, kind, change: moved });
}

/** Of one deployment, oldest first. */
export async function listPendingFlows(
  database: Kysely<Tables>,
  deploymentId: DeploymentId,
): Promise<readonly PendingFlow[]> {
  const { rows } = await sql<PendingRow>`
    select f.id, f.kind, f.requested_micro, f.reason_code, f.repeats, f.requested_at, f.sized_at,
      (s.min_investment_micro)::text as minimum
    from deployment_flows f join deployments d on d.id = f.deployment_id join strategies s on s.id = d.strategy_id
    where f.deployment_id = ${deploymentId} and f.status = 'pending' order by f.created_at, f.id`.execute(
    database,
  );
  return rows.map((row) => ({
    id: row.id,
    deploymentId,
    kind: row.kind,
    requested: parseMicro(row.requested_micro),
    reason: row.reason_code,
    minimum: parseMicro(row.minimum),
    repeats: row.repeats,
    requestedAt: parseInstant(row.requested_at),
    sizedAt: row.sized_at && parseInstant(row.sized_at),
  }));
}

export type FlowTerms = {
  readonly mode: 'practice' | 'real';
  readonly accountId: BrokerAccountId | null;
};

export async function readFlowTerms(database: Kysely<Tables>, id: DeploymentId): Promise<FlowTerms> {
  const row = await database
    .selectFrom('deployments as d')
    .innerJoin('broker_connections as c', 'c.id', 'd.broker_connection_id')
    .select(['d.mode', 'c.account_id'])
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow();
  return { mode: row.mode, accountId: row.account_id };
}

/** Deployments of these shards with a request that is not final. */
export async function listDeploymentsWithFlows(
  database: Kysely<Tables>,
  shards: readonly number[],
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select distinct d.id from deployment_flows f join deployments d on d.id = f.deployment_id
    where f.status = 'pending' and ${IS_SETTLED} and shard_of(d.broker_connection_id) = any(${shards}::int[]) order by 1`.execute(
    database,
  );
  return rows.map(({ id }) => id);
}

/** Writes what was decided; `after` is the deployment as its books are then. */
export async function saveFlowDecision(
  trx: Transaction<Tables>,
  flow: PendingFlow,
  decided: {
    readonly decision: FlowDecision;
    readonly after: TradingDeployment;
    readonly valueBefore: Micro;
    readonly at: Instant;
  },
): Promise<void> {
  const { decision, after, valueBefore, at } = decided;
  const isDone = decision.outcome === 'done';
  await trx
    .updateTable('deployment_flows')
    .set({
      status: decision.outcome === 'waits' ? 'pending' : decision.outcome,
      moved_micro: isDone ? decision.moved : null,
      value_before_micro: isDone ? valueBefore : null,
      reason_code: isDone ? null : decision.reason,
      ...(decision.outcome === 'waits'
        ? decision.sizes && { sized_at: isoText(at) }
        : { ended_at: isoText(at) }),
    })
    .where('id', '=', flow.id)
    .where('status', '=', 'pending')
    .execute();
  if (isDone)
    await trx
      .updateTable('deployments')
      .set({
        investment_micro: after.investment,
        return_base_micro: after.returnBase,
        withdrawing_micro: after.withdrawing,
      })
      .where('id', '=', flow.deploymentId)
      .execute();
  else if (decision.outcome === 'refused')
    await noteWithdrawing(trx, { ...flow, change: -flow.requested as Micro });
}

/** False where it is not pending. The flow of a shadow is no one's to cancel. */
export async function cancelFlow(
  trx: Transaction<Tables>,
  {
    id,
    deploymentId,
    at,
  }: { readonly id: string; readonly deploymentId: DeploymentId; readonly at: Instant },
): Promise<boolean> {
  const row = await trx
    .updateTable('deployment_flows')
    .set({ status: 'cancelled', ended_at: isoText(at) })
    .where('id', '=', id)
    .where('deployment_id', '=', deploymentId)
    .where('status', '=', 'pending')
    .where('repeats', 'is', null)
    .returning(['kind', 'requested_micro'])
    .executeTakeFirst();
  if (row === undefined) return false;
  const change = -parseMicro(row.requested_micro) as Micro;
  await noteWithdrawing(trx, { deploymentId, kind: row.kind, change });
  return true;
}

export type FlowRow = {
  readonly id: string;
  readonly deploymentId: DeploymentId;
  readonly kind: FlowKind;
  readonly status: FlowStatus;
  readonly requested: Micro;
  readonly moved: Micro | null;
  readonly reason: FlowReason | null;
  readonly requestedAt: Instant;
  readonly endedAt: Instant | null;
};

export async function findFlow(
  database: Kysely<Tables>,
  { id, deploymentId }: { readonly id: string; readonly deploymentId: DeploymentId },
): Promise<FlowRow | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await flowsOf(database, deploymentId).where('id', '=', id).executeTakeFirst();
  return row && flowRow(row);
}

/** Newest first. */
export async function listFlows(
  database: Kysely<Tables>,
  deploymentId: DeploymentId,
): Promise<readonly FlowRow[]> {
  const rows = await flowsOf(database, deploymentId)
    .orderBy('requested_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(LISTED_MAX)
    .execute();
  return rows.map(flowRow);
}

const flowsOf = (database: Kysely<Tables>, deploymentId: DeploymentId) =>
  database.selectFrom('deployment_flows').selectAll().where('deployment_id', '=', deploymentId);

function flowRow(row: Awaited<ReturnType<ReturnType<typeof flowsOf>['executeTakeFirstOrThrow']>>): FlowRow {
  return {
    id: row.id,
    deploymentId: row.deployment_id,
    kind: row.kind,
    status: row.status,
    requested: parseMicro(row.requested_micro),
    moved: row.moved_micro === null ? null : parseMicro(row.moved_micro),
    reason: row.reason_code,
    requestedAt: parseInstant(row.requested_at),
    endedAt: row.ended_at && parseInstant(row.ended_at),
  };
}

const LISTED_MAX = 200;

/** Also raises the revision: its screen changes. */
async function noteWithdrawing(
  trx: Transaction<Tables>,
  { deploymentId, kind, change }: { deploymentId: DeploymentId; kind: FlowKind; change: Micro },
): Promise<void> {
  const more = kind === 'withdrawal' ? change : 0;
  await trx
    .updateTable('deployments')
    .set({ withdrawing_micro: sql`withdrawing_micro + ${more}::bigint`, revision: sql`revision + 1` })
    .where('id', '=', deploymentId)
    .execute();
}

type PendingRow = {
  readonly id: string;
  readonly kind: FlowKind;
  readonly requested_micro: string;
  readonly reason_code: FlowReason | null;
  readonly repeats: string | null;
  readonly requested_at: Date;
  readonly sized_at: Date | null;
  readonly minimum: string;
};
