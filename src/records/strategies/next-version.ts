// The next version of a published strategy: the tested rules of a draft, with their result. Versions never change, so
// deployments keep the one that they trade by.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DeploymentId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Transaction } from '../postgres/database.ts';

type Agreed = {
  readonly target: StrategyId;
  readonly proposalId: string;
  /** Trading clock. */
  readonly at: Instant;
};

/** The draft stays its writer's, without a target. The caller holds the locks of both. */
export async function addNextVersion(
  trx: Transaction,
  { id, versionId }: { readonly id: StrategyId; readonly versionId: StrategyVersionId },
  { target, proposalId, at }: Agreed,
): Promise<{ readonly versionId: StrategyVersionId; readonly number: number }> {
  const next = randomUUID() as string as StrategyVersionId;
  const { rows } = await sql<{ number: number }>`
    insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at, proposal_id, written_by_model)
    select ${next}::uuid, ${target}::uuid, (select max(number) + 1 from strategy_versions where strategy_id = ${target}),
      definition, definition_hash, ${isoText(at)}::timestamptz, ${proposalId}::uuid,
      exists (select from strategy_versions o where o.strategy_id = ${id} and o.written_by_model)
    from strategy_versions where id = ${versionId} returning number`.execute(trx);
  await sql`
    insert into backtests (id, strategy_version_id, input_hash, result_hash, first_date, last_date, figures, series, trades,
      created_at, data_as_of, bars_read, scores, engine_hash, engine_version, data_hash, costs_hash, costs, samples, evidence, position_sizes, capacity)
    select gen_random_uuid(), ${next}::uuid, input_hash, result_hash, first_date, last_date, figures, series, trades,
      created_at, data_as_of, bars_read, scores, engine_hash, engine_version, data_hash, costs_hash, costs, samples, evidence, position_sizes, capacity
    from backtests where strategy_version_id = ${versionId} order by last_date desc, created_at desc limit 1`.execute(
    trx,
  );
  await sql`
    update strategies s set risk_level = d.risk_level, risk_score = d.risk_score, kind = d.kind
    from strategies d where s.id = ${target} and d.id = ${id}`.execute(trx);
  await sql`update strategies set replaces_id = null where id = ${id}`.execute(trx);
  return { versionId: next, number: rows[0]!.number };
}

export type Follower = {
  readonly deploymentId: DeploymentId;
  readonly userId: UserId;
  readonly strategyName: string;
  /** Of the version that it trades by. */
  readonly version: number;
};

/** Each deployment of the strategy that has not ended, real or practice. */
export async function listFollowers(trx: Transaction, strategyId: StrategyId): Promise<readonly Follower[]> {
  const { rows } = await sql<Follower>`
    select d.id as "deploymentId", d.user_id as "userId", s.name as "strategyName", v.number as version
    from live_deployments d join strategies s on s.id = d.strategy_id
    join strategy_versions v on v.id = d.strategy_version_id where d.strategy_id = ${strategyId} order by d.id`.execute(
    trx,
  );
  return rows;
}
