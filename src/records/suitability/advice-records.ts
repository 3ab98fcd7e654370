// Records of advice: one for each deployment of real money at each occasion, with what was known, never changed.
import { type Kysely, sql } from 'kysely';
import {
  type AdviceInputs,
  adviceOn,
  type AdviceOutcome,
  SUITABILITY_RULE_VERSION,
} from '#rules/suitability/advice.ts';
import type { RiskScore } from '#rules/suitability/risk-class.ts';
import type { DeploymentId, StrategyId, UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { fromMicro, type Micro, parseMicro } from '#units/money.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';

export type AdviceOccasion = 'deploy' | 'deposit' | 'resume' | 'client_score' | 'strategy_score';

/** Which deployments the advice is on: one, all of a person, or all of a strategy. */
type Scope =
  | { readonly deploymentId: DeploymentId }
  | { readonly userId: UserId }
  | { readonly strategyId: StrategyId };

/** Advises on each deployment in scope that has not ended, in view of all of its person's. */
export async function recordAdvice(
  trx: Kysely<Tables>,
  scope: Scope,
  occasion: AdviceOccasion,
): Promise<void> {
  const live = await readLive(trx, scope);
  const all = Map.groupBy(live, ({ userId }) => userId);
  const records = live
    .filter(({ isInScope }) => isInScope)
    .map(({ deploymentId, strategyId, userId, strategyScore, clientScore, tolerancePercent }) =>
      rowOf(
        { deploymentId, strategyId, userId, occasion },
        {
          clientScore,
          tolerancePercent,
          strategyScore,
          deployments: all
            .get(userId)!
            .map(({ investment, worstFallPercent }) => ({ investment, worstFallPercent })),
        },
      ),
    );
  if (records.length > 0) await trx.insertInto('advice_records').values(records).execute();
}

type Wished = {
  readonly userId: UserId;
  readonly strategyId: StrategyId;
  readonly investment: Micro;
};

/** The advice against a deployment that was therefore not made. */
export async function recordRefusedAdvice(
  database: Kysely<Tables>,
  { userId, strategyId, investment }: Wished,
): Promise<void> {
  const { rows } = await sql<WishedRow>`
    select s.risk_score as strategy_score, p.risk_score as client_score, p.max_drawdown_tolerance as tolerance,
      ${WORST_FALL(sql`(select v.id from strategy_versions v where v.strategy_id = s.id order by v.number desc limit 1)`)} as worst_fall
    from strategies s left join risk_profiles p on p.user_id = ${userId} where s.id = ${strategyId}`.execute(
    database,
  );
  const row = rows[0]!;
  const others = await readLive(database, { userId });
  const wished = { investment: fromMicro(investment), worstFallPercent: row.worst_fall };
  const inputs = {
    clientScore: row.client_score,
    tolerancePercent: row.tolerance,
    strategyScore: row.strategy_score,
    deployments: [
      ...others.map(({ investment: put, worstFallPercent }) => ({ investment: put, worstFallPercent })),
      wished,
    ],
  };
  const about = { deploymentId: null, strategyId, userId, occasion: 'deploy' } as const;
  await database.insertInto('advice_records').values(rowOf(about, inputs)).execute();
}

export type AdviceRecord = {
  readonly id: string;
  readonly strategyName: string;
  readonly deploymentId: DeploymentId | null;
  readonly occasion: AdviceOccasion;
  readonly ruleVersion: string;
  readonly inputs: AdviceInputs;
  readonly outcome: AdviceOutcome;
  readonly at: Instant;
};

/** Newest first. */
export async function listAdvice(database: Database, userId: UserId): Promise<readonly AdviceRecord[]> {
  const rows = await database
    .selectFrom('advice_records as a')
    .innerJoin('strategies as s', 's.id', 'a.strategy_id')
    .select([
      'a.id',
      's.name',
      'a.deployment_id',
      'a.occasion',
      'a.rule_version',
      'a.inputs',
      'a.outcome',
      'a.at',
    ])
    .where('a.user_id', '=', userId)
    .orderBy('a.id', 'desc')
    .limit(LISTED_MAX)
    .execute();
  return rows.map((row) => ({
    id: String(row.id),
    strategyName: row.name,
    deploymentId: row.deployment_id,
    occasion: row.occasion as AdviceOccasion,
    ruleVersion: row.rule_version,
    inputs: row.inputs as AdviceInputs,
    outcome: row.outcome as AdviceOutcome,
    at: parseInstant(row.at),
  }));
}

const LISTED_MAX = 100;

type Live = {
  readonly deploymentId: DeploymentId;
  readonly strategyId: StrategyId;
  readonly userId: UserId;
  readonly isInScope: boolean;
  readonly strategyScore: RiskScore;
  readonly clientScore: RiskScore | null;
  readonly tolerancePercent: number | null;
  /** Dollars. */
  readonly investment: number;
  readonly worstFallPercent: number | null;
};

/** All live deployments of real money of everybody who has one in scope. */
async function readLive(database: Kysely<Tables>, scope: Scope): Promise<readonly Live[]> {
  const inScope =
    'deploymentId' in scope
      ? sql`d.id = ${scope.deploymentId}`
      : 'userId' in scope
        ? sql`d.user_id = ${scope.userId}`
        : sql`d.strategy_id = ${scope.strategyId}`;
  const { rows } = await sql<LiveRow>`
    select d.id, d.strategy_id, d.user_id, greatest(0, d.investment_micro) + coalesce((
        select sum(f.requested_micro) from deployment_flows f
        where f.deployment_id = d.id and f.status = 'pending' and f.kind = 'deposit'), 0) as investment_micro, ${inScope} as is_in_scope, s.risk_score as strategy_score,
      p.risk_score as client_score, p.max_drawdown_tolerance as tolerance,
      ${WORST_FALL(sql`d.strategy_version_id`)} as worst_fall
    from deployments d join strategies s on s.id = d.strategy_id left join risk_profiles p on p.user_id = d.user_id
    where d.mode = 'real' and d.ended_at is null
      and d.user_id in (select d.user_id from deployments d where d.mode = 'real' and d.ended_at is null and ${inScope})
    order by d.id`.execute(database);
  return rows.map((row) => ({
    deploymentId: row.id,
    strategyId: row.strategy_id,
    userId: row.user_id,
    isInScope: row.is_in_scope,
    strategyScore: row.strategy_score,
    clientScore: row.client_score,
    tolerancePercent: row.tolerance,
    investment: fromMicro(parseMicro(row.investment_micro)),
    worstFallPercent: row.worst_fall,
  }));
}

/** Of the newest result of a version, in percent; null where there is none. */
const WORST_FALL = (versionId: ReturnType<typeof sql>) => sql`(
  select (b.figures->>'max_drawdown')::float8 from backtests b
  where b.strategy_version_id = ${versionId} order by b.created_at desc limit 1)`;

type About = {
  readonly occasion: AdviceOccasion;
  readonly userId: UserId;
  readonly strategyId: StrategyId;
  readonly deploymentId: DeploymentId | null;
};

function rowOf({ userId, strategyId, deploymentId, occasion }: About, inputs: AdviceInputs) {
  return {
    user_id: userId,
    strategy_id: strategyId,
    deployment_id: deploymentId,
    occasion,
    rule_version: SUITABILITY_RULE_VERSION,
    inputs: JSON.stringify(inputs),
    outcome: adviceOn(inputs).outcome,
  };
}

type LiveRow = {
  readonly id: DeploymentId;
  readonly strategy_id: StrategyId;
  readonly user_id: UserId;
  readonly investment_micro: string;
  readonly is_in_scope: boolean;
  readonly strategy_score: RiskScore;
  readonly client_score: RiskScore | null;
  readonly tolerance: number | null;
  readonly worst_fall: number | null;
};

type WishedRow = Pick<LiveRow, 'strategy_score' | 'client_score' | 'tolerance' | 'worst_fall'>;
