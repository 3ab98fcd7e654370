// The trial ledger: every backtest ever run here, failed ones included. Append-only; the database refuses an update or
// delete, and no try goes with its draft.
import { type Kysely, sql } from 'kysely';
import type { SearchKind } from '#engine/evidence/trial-family.ts';
import type { WeeklyGrowth } from '#engine/evidence/weekly-growth.ts';
import type { BacktestJobId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

/**
 * publication: a version's first result. variant: a neighbour tried for the evidence. search: requested by a person.
 * renewal: a committed version on later prices or by a newer engine. attack: one under harder terms. The last two select
 * nothing, so they do not count as tries.
 */
type TrialPurpose = 'publication' | 'variant' | 'search' | 'renewal' | 'attack';

export type Trial = SearchKind & {
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId | null;
  readonly definitionHash: string;
  readonly inputHash: string;
  readonly dataHash: string;
  readonly purpose: TrialPurpose;
  readonly by:
    | { readonly kind: 'provider' | 'machine' }
    | { readonly kind: 'person'; readonly userId: UserId; readonly run: JobRun };
  /** Trading clock. */
  readonly at: Instant;
  readonly outcome:
    | {
        readonly kind: 'measured';
        /** In-sample, per period; null where it is not defined. */
        readonly sharpe: number | null;
        readonly periods: number;
        readonly weekly: WeeklyGrowth | null;
      }
    | { readonly kind: 'failed'; readonly reason: string };
};

/** Run number within a job that a person requested. */
type JobRun = { readonly jobId: BacktestJobId; readonly number: number };

/** Of one strategy in all its versions. */
export type TrialCount = {
  readonly tries: number;
  readonly failed: number;
  readonly variants: number;
  readonly byPersons: number;
  /** Re-runs of committed versions, which do not count as tries. */
  readonly renewals: number;
};

/** A run of a restarted job that is already counted is left out. */
export async function addTrial(database: Kysely<Tables>, trial: Trial): Promise<void> {
  const { by, outcome } = trial;
  const userId = by.kind === 'person' ? by.userId : null;
  const weekly = outcome.kind === 'measured' ? outcome.weekly : null;
  await database
    .insertInto('trials')
    .values({
      strategy_id: trial.strategyId,
      strategy_version_id: trial.versionId,
      searcher: searcherOf(trial.strategyId, userId),
      markets: [...trial.markets],
      rule_kinds: [...trial.ruleKinds],
      definition_hash: trial.definitionHash,
      input_hash: trial.inputHash,
      data_hash: trial.dataHash,
      purpose: trial.purpose,
      run_by: by.kind,
      user_id: userId,
      job_id: by.kind === 'person' ? by.run.jobId : null,
      job_run: by.kind === 'person' ? by.run.number : null,
      at: isoText(trial.at),
      outcome: outcome.kind,
      reason: outcome.kind === 'failed' ? outcome.reason : null,
      sharpe: outcome.kind === 'measured' ? outcome.sharpe : null,
      periods: outcome.kind === 'measured' ? outcome.periods : 0,
      first_week: weekly?.firstWeek ?? null,
      weekly_growth: weekly && bytesOf(weekly.growth),
    })
    .onConflict((conflict) => conflict.columns(['job_id', 'job_run']).doNothing())
    .execute();
}

/** The owner of the strategy; where it is gone already, who asked. The staff's drafts are the provider's. */
function searcherOf(strategyId: StrategyId, userId: UserId | null) {
  return sql<UserId | null>`(
    select u.id from users u where u.role <> 'provider' and u.id = case
      when exists (select from strategies where id = ${strategyId}) then (select owner_id from strategies where id = ${strategyId})
      else ${userId}::uuid end)`;
}

function bytesOf(growth: Float32Array): Buffer {
  const bytes = Buffer.alloc(growth.length * FLOAT_BYTES);
  growth.forEach((value, week) => bytes.writeFloatLE(value, week * FLOAT_BYTES));
  return bytes;
}

export function growthOf(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, week) =>
    bytes.readFloatLE(week * FLOAT_BYTES),
  );
}

const FLOAT_BYTES = 4;

export async function countTrials(database: Kysely<Tables>, strategyId: StrategyId): Promise<TrialCount> {
  const { rows } = await sql<Record<keyof TrialCount, number>>`
    select count(*) filter (where counts)::int as tries,
      count(*) filter (where counts and outcome = 'failed')::int as failed,
      count(*) filter (where purpose = 'variant')::int as variants,
      count(*) filter (where counts and run_by = 'person')::int as "byPersons",
      count(*) filter (where purpose = 'renewal')::int as renewals
    from (select *, purpose not in ('renewal', 'attack') as counts from trials where strategy_id = ${strategyId}) as own`.execute(
    database,
  );
  return rows[0]!;
}

/** Whether this exact input was run for this version before, with any outcome. */
export async function wasTried(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
  inputHash: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('trials')
    .select('id')
    .where('strategy_version_id', '=', versionId)
    .where('input_hash', '=', inputHash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
