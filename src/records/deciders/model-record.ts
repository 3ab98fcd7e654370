// What the page of a strategy shows of the record of its model: how often it was asked, what that cost, and what probes of it found.
import { type Kysely, sql } from 'kysely';
import type { QuestionForm } from '#engine/decider/decision-questions.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type ModelProbe = {
  readonly form: QuestionForm;
  readonly decisions: number;
  readonly knownAnnualReturn: number | null;
  readonly annualReturn: number | null;
  readonly sharpe: number | null;
  readonly alike: number | null;
  readonly agreement: number | null;
};

export type ModelRecord = {
  readonly decisions: number;
  readonly answered: number;
  readonly cost: Micro;
  readonly agreement: number | null;
  readonly isStandIn: boolean;
  readonly probes: readonly ModelProbe[];
  readonly newest: readonly {
    readonly asOf: Instant;
    readonly askedAt: string;
    readonly promptHash: string;
    readonly weights: { readonly [symbol: string]: number } | null;
    readonly cost: Micro;
    readonly agreement: number | null;
    /** Of answers that are none, why; by how often. */
    readonly failures: readonly string[];
  }[];
};

/** Of the closed decisions that decide, not of the probes. */
export async function readModelRecord(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
): Promise<ModelRecord> {
  const { rows } = await sql<{
    decisions: number;
    answered: number;
    cost: string;
    agreement: number | null;
    stand_in: boolean | null;
  }>`select count(*)::int as decisions, count(weights)::int as answered, coalesce(sum(cost_micro), 0)::bigint as cost,
      avg(agreement) as agreement, bool_or(is_stand_in) as stand_in
    from model_decisions where strategy_version_id = ${versionId} and form = 'plain' and closed_at is not null`.execute(
    database,
  );
  const { decisions, answered, cost, agreement, stand_in } = rows[0]!;
  const newest = await sql<{
    as_of: Date;
    asked_at: Date;
    prompt_hash: string;
    weights: { readonly [symbol: string]: number } | null;
    cost: string;
    agreement: number | null;
    failures: readonly string[];
  }>`select d.as_of, d.asked_at, d.prompt_hash, d.weights, d.cost_micro as cost, d.agreement,
      array(select distinct coalesce(a.outcome, 'lost') from model_decision_answers a where a.strategy_version_id = d.strategy_version_id
        and a.form = d.form and a.as_of = d.as_of and a.outcome is distinct from 'object' order by 1) as failures
    from model_decisions d where d.strategy_version_id = ${versionId} and d.form = 'plain' and d.closed_at is not null
    order by d.as_of desc limit ${NEWEST}`.execute(database);
  return {
    decisions,
    answered,
    cost: parseMicro(cost),
    agreement,
    isStandIn: stand_in ?? false,
    probes: await listProbes(database, versionId),
    newest: newest.rows.map((row) => ({
      asOf: parseInstant(row.as_of),
      askedAt: new Date(row.asked_at).toISOString(),
      promptHash: row.prompt_hash,
      weights: row.weights,
      cost: parseMicro(row.cost),
      agreement: row.agreement,
      failures: row.failures,
    })),
  };
}

async function listProbes(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
): Promise<readonly ModelProbe[]> {
  const rows = await database
    .selectFrom('model_probes')
    .selectAll()
    .where('strategy_version_id', '=', versionId)
    .orderBy(sql`array_position(array['plain', 'masked', 'perturbed'], form)`)
    .execute();
  return rows.map((row) => ({
    form: row.form as QuestionForm,
    decisions: row.decisions,
    knownAnnualReturn: row.known_annual_return,
    annualReturn: row.annual_return,
    sharpe: row.sharpe,
    alike: row.alike,
    agreement: row.agreement,
  }));
}

/** Once for each version and form. */
export async function saveProbe(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
  probe: ModelProbe & { readonly at: Instant },
): Promise<void> {
  await database
    .insertInto('model_probes')
    .values({
      strategy_version_id: versionId,
      form: probe.form,
      decisions: probe.decisions,
      known_annual_return: probe.knownAnnualReturn,
      annual_return: probe.annualReturn,
      sharpe: probe.sharpe,
      alike: probe.alike,
      agreement: probe.agreement,
      at: isoText(probe.at),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const NEWEST = 12;
