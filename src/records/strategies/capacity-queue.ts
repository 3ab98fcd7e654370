// Room in a strategy: who is let in at once, who waits, and whose turn it is when there is room again. Whoever writes here holds the lock
// of the strategy's capacity, so that two who ask at once cannot both take the last of it.
import { type Kysely, sql, type Transaction } from 'kysely';
import { admit, type Room, type Waiting } from '#engine/capacity/admit.ts';
import type { CapacityEstimate } from '#engine/capacity/estimate-capacity.ts';
import { capacityOf } from '#rules/strategies/capacity.ts';
import type { DeploymentId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';
import { lockCapacity } from './capacity.ts';

type Asked = {
  readonly strategyId: StrategyId;
  readonly deploymentId: DeploymentId;
  /** Of money that is added; null for the first money of a deployment. */
  readonly flowId: string | null;
  readonly amount: Micro;
};

/** Of a strategy of the provider, for real money; the deployment and the flow are written. The last lock of their transaction. */
export async function takePlace(
  trx: Transaction<Tables>,
  { strategyId, deploymentId, flowId, amount }: Asked,
): Promise<'admitted' | 'waits'> {
  await lockCapacity(trx, strategyId);
  const { capacity, inUse } = await readRoom(trx, strategyId, deploymentId, flowId);
  const waiting = await listWaiting(trx, strategyId);
  const place = await nextPlace(trx, strategyId);
  // Whoever comes next and has not been let in yet goes first, also where there is room for both.
  const [next] = admit([...waiting, { place, amount }], { capacity, inUse });
  const own = next?.one.place === place ? next : undefined;
  await sql`
    insert into capacity_places (strategy_id, place, deployment_id, flow_id, amount_micro, admitted_at, capacity_micro, in_use_micro)
    values (${strategyId}, ${place}, ${deploymentId}, ${flowId}, ${amount}, ${own === undefined ? sql`null` : sql`clock_timestamp()`},
      ${own === undefined ? null : capacity}, ${own?.inUseBefore ?? null})`.execute(trx);
  if (own !== undefined) return 'admitted';
  await (flowId === null
    ? sql`update deployments set reason_code = 'awaits_capacity', revision = revision + 1 where id = ${deploymentId}`
    : sql`update deployment_flows set reason_code = 'awaits_capacity' where id = ${flowId}`
  ).execute(trx);
  return 'waits';
}

/** Strategies in whose queue somebody waits, each with its newest version. */
export async function listQueues(
  database: Kysely<Tables>,
): Promise<readonly { readonly id: StrategyId; readonly versionId: StrategyVersionId }[]> {
  const { rows } = await sql<{ id: StrategyId; versionId: StrategyVersionId }>`
    select id, (select v.id from strategy_versions v where v.strategy_id = q.id order by v.number desc limit 1) as "versionId"
    from (select distinct strategy_id as id from capacity_places where admitted_at is null) q
    where exists (select from capacity_waiting_in(q.id)) order by id`.execute(database);
  return rows;
}

export type LetIn = {
  readonly place: number;
  readonly amount: Micro;
  readonly deploymentId: DeploymentId;
  readonly flowId: string | null;
  readonly userId: UserId;
  readonly strategyName: string;
};

/** Everybody whose turn it is and for whom there is room, in one transaction with what they are told. */
export async function admitWaiting(
  trx: Transaction<Tables>,
  strategyId: StrategyId,
): Promise<readonly LetIn[]> {
  await lockCapacity(trx, strategyId);
  const room = await readRoom(trx, strategyId);
  const admitted = admit(await listWaiting(trx, strategyId), room);
  const those: LetIn[] = [];
  for (const { one, inUseBefore } of admitted) {
    const { rows } = await sql<LetInRow>`
      update capacity_places p set admitted_at = clock_timestamp(), capacity_micro = ${room.capacity},
        in_use_micro = ${inUseBefore}
      from deployments d join strategies s on s.id = d.strategy_id
      where p.strategy_id = ${strategyId} and p.place = ${one.place} and d.id = p.deployment_id
      returning p.place, p.amount_micro, p.deployment_id, p.flow_id, d.user_id, s.name as strategy_name`.execute(
      trx,
    );
    those.push(letIn(rows[0]!));
  }
  return those;
}

type LetInRow = {
  readonly place: string;
  readonly amount_micro: string;
  readonly deployment_id: DeploymentId;
  readonly flow_id: string | null;
  readonly user_id: UserId;
  readonly strategy_name: string;
};

function letIn(row: LetInRow): LetIn {
  return {
    place: Number(row.place),
    amount: parseMicro(row.amount_micro),
    deploymentId: row.deployment_id,
    flowId: row.flow_id,
    userId: row.user_id,
    strategyName: row.strategy_name,
  };
}

/** From its commit on nobody takes room in it. */
export async function retireStrategy(
  trx: Transaction<Tables>,
  id: StrategyId,
  endsOn: IsoDate | null,
): Promise<void> {
  await sql`update strategies set status = 'retired', ends_on = ${endsOn}::date where id = ${id}`.execute(
    trx,
  );
}

/** Ends what waits: deployments that have not begun, and requests to add money. Returns who left, in order of their places. */
export async function closeQueue(
  trx: Transaction<Tables>,
  strategyId: StrategyId,
  at: string,
): Promise<readonly LetIn[]> {
  await lockCapacity(trx, strategyId);
  const { rows } = await sql<LetInRow>`
    with waiting as (
      select p.place, p.amount_micro, p.deployment_id, p.flow_id, d.user_id, s.name as strategy_name
      from capacity_waiting_in(${strategyId}) w
      join capacity_places p on p.strategy_id = ${strategyId} and p.place = w.place
      join deployments d on d.id = p.deployment_id join strategies s on s.id = d.strategy_id
    ), ended as (
      update deployments d set requested_status = 'stopped', revision = revision + 1 from waiting w
      where d.id = w.deployment_id and w.flow_id is null
    ), cancelled as (
      update deployment_flows f set status = 'cancelled', ended_at = ${at}::timestamptz from waiting w where f.id = w.flow_id
    )
    select * from waiting order by place`.execute(trx);
  return rows.map(letIn);
}

/** Whether the first money of a deployment, or money that is added to it, still waits for room. */
export async function awaitsCapacity(
  database: Kysely<Tables>,
  { deploymentId, flowId }: Pick<Asked, 'deploymentId' | 'flowId'>,
): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from capacity_places where deployment_id = ${deploymentId}
      and flow_id is not distinct from ${flowId}::uuid and admitted_at is null) as waits`.execute(database);
  return rows[0]!.waits;
}

export type Place = {
  readonly flowId: string | null;
  readonly amount: Micro;
  readonly signedAt: Date;
  /** Of others, with an earlier place. */
  readonly before: { readonly count: number; readonly amount: Micro };
  readonly room: Room;
};

/** Where a person's own deployment waits; undefined where it does not. */
export async function findPlace(
  database: Kysely<Tables>,
  deploymentId: DeploymentId,
): Promise<Place | undefined> {
  const { rows } = await sql<{
    strategy_id: StrategyId;
    flow_id: string | null;
    amount: string;
    signed_at: Date;
    count: number;
    ahead: string;
  }>`
    select p.strategy_id, p.flow_id, p.amount_micro as amount, p.signed_at, w.count, w.ahead
    from capacity_places p cross join lateral (
      select bool_or(o.place = p.place) as waits, count(*) filter (where o.place < p.place)::int as count,
        coalesce(sum(o.amount_micro) filter (where o.place < p.place), 0)::bigint as ahead
      from capacity_waiting_in(p.strategy_id) o) w
    where p.deployment_id = ${deploymentId} and p.admitted_at is null and w.waits`.execute(database);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    flowId: row.flow_id,
    amount: parseMicro(row.amount),
    signedAt: row.signed_at,
    before: { count: row.count, amount: parseMicro(row.ahead) },
    room: await readRoom(database, row.strategy_id),
  };
}

/** Without what is being asked for: it is written, and has no place yet. */
export async function readRoom(
  database: Kysely<Tables>,
  strategyId: StrategyId,
  deploymentId: DeploymentId | null = null,
  flowId: string | null = null,
): Promise<Room & { readonly isOffered: boolean }> {
  const { rows } = await sql<{
    estimate: CapacityEstimate | null;
    own_limit: string | null;
    in_use: string;
    is_offered: boolean;
  }>`
    select (select b.capacity from backtests b where b.strategy_version_id = (
        select id from strategy_versions where strategy_id = s.id order by number desc limit 1)
        order by b.last_date desc, b.created_at desc limit 1) as estimate,
      (select limit_micro from capacity_limits where strategy_id = s.id order by id desc limit 1) as own_limit,
      capacity_in_use(s.id) - coalesce((select greatest(d.equity_micro, 0) from deployments d
        where d.id = ${deploymentId}::uuid and ${flowId}::uuid is null), 0) as in_use,
      s.status = 'published' as is_offered
    from strategies s where s.id = ${strategyId}`.execute(database);
  const row = rows[0]!;
  const ownLimit = row.own_limit === null ? null : parseMicro(row.own_limit);
  return {
    capacity: row.estimate === null ? ownLimit : capacityOf(row.estimate, ownLimit),
    inUse: parseMicro(row.in_use),
    isOffered: row.is_offered,
  };
}

async function listWaiting(database: Kysely<Tables>, strategyId: StrategyId): Promise<readonly Waiting[]> {
  const { rows } = await sql<{ place: string; amount: string }>`
    select place, amount_micro as amount from capacity_waiting_in(${strategyId})`.execute(database);
  return rows.map(({ place, amount }) => ({ place: Number(place), amount: parseMicro(amount) }));
}

/** Also of those who have left: a place is never given twice. The rows are everybody's, and the lock keeps others from asking. */
async function nextPlace(trx: Kysely<Tables>, strategyId: StrategyId): Promise<number> {
  const { rows } = await sql<{ place: string }>`select capacity_next_place(${strategyId}) as place`.execute(
    trx,
  );
  return Number(rows[0]!.place);
}
