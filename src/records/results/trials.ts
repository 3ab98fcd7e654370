// The trial ledger: every backtest of a strategy family ever run here, failed ones included. Append-only; the
// database refuses an update or delete.
import { type Kysely, sql } from 'kysely';
import type { TrialLedger } from '#engine/evidence/trials.ts';
import type { BacktestJobId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

/**
 * publication: a version's first result. variant: a neighbour tried for the evidence. search: requested by a person.
 * renewal: a committed version on later prices or by a newer engine; it selects nothing, so it does not count as a try.
 */
type TrialPurpose = 'publication' | 'variant' | 'search' | 'renewal';

export type Trial = {
  readonly family: StrategyId;
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
      }
    | { readonly kind: 'failed'; readonly reason: string };
};

/** Run number within a job that a person requested. */
type JobRun = { readonly jobId: BacktestJobId; readonly number: number };

export type TrialCount = {
  /** Tries that the deflated figures count. */
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
  await database
    .insertInto('trials')
    .values({
      family: trial.family,
      strategy_version_id: trial.versionId,
      definition_hash: trial.definitionHash,
      input_hash: trial.inputHash,
      data_hash: trial.dataHash,
      purpose: trial.purpose,
      run_by: by.kind,
      user_id: by.kind === 'person' ? by.userId : null,
      job_id: by.kind === 'person' ? by.run.jobId : null,
      job_run: by.kind === 'person' ? by.run.number : null,
      at: isoText(trial.at),
      outcome: outcome.kind,
      reason: outcome.kind === 'failed' ? outcome.reason : null,
      sharpe: outcome.kind === 'measured' ? outcome.sharpe : null,
      periods: outcome.kind === 'measured' ? outcome.periods : 0,
    })
    .onConflict((conflict) => conflict.columns(['job_id', 'job_run']).doNothing())
    .execute();
}

/** The tries of a family as the statistics need them. */
export async function getTrialLedger(
  database: Kysely<Tables>,
  family: StrategyId,
): Promise<TrialLedger & { readonly count: number }> {
  const rows = await database
    .selectFrom('trials')
    .select('sharpe')
    .where('family', '=', family)
    .where('purpose', '!=', 'renewal')
    .orderBy('id')
    .execute();
  const sharpes = rows.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe]));
  return { count: rows.length, sharpes: Float64Array.from(sharpes) };
}

export async function countTrials(database: Kysely<Tables>, family: StrategyId): Promise<TrialCount> {
  const { rows } = await sql<Record<keyof TrialCount, number>>`
    select count(*) filter (where purpose <> 'renewal')::int as tries,
      count(*) filter (where purpose <> 'renewal' and outcome = 'failed')::int as failed,
      count(*) filter (where purpose = 'variant')::int as variants,
      count(*) filter (where run_by = 'person')::int as "byPersons",
      count(*) filter (where purpose = 'renewal')::int as renewals
    from trials where family = ${family}`.execute(database);
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
