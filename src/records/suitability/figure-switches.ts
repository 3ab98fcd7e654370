// Whom hypothetical figures are shown: the provider's switches, who somebody is to them, and what was decided about a person.
import { type Kysely, sql } from 'kysely';
import type { FigureSwitch, FiguresDecision, Viewer } from '#rules/eligibility/figures-audience.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

/** Newest first. */
export async function listFigureSwitches(database: Kysely<Tables>): Promise<readonly FigureSwitch[]> {
  const { rows } = await sql<FigureSwitch>`
    select distinct on (status, country) id::float8 as id, status, country, is_shown as "isShown" from figure_switches
    order by status, country, id desc`.execute(database);
  return rows.toSorted((left, right) => right.id - left.id);
}

/** Until the end of the transaction nobody else switches. */
export async function lockFigureSwitches(trx: Kysely<Tables>): Promise<readonly FigureSwitch[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('figure switches', 0))`.execute(trx);
  return listFigureSwitches(trx);
}

export async function insertFigureSwitch(
  trx: Kysely<Tables>,
  { status, country, isShown }: Omit<FigureSwitch, 'id'>,
): Promise<void> {
  await trx.insertInto('figure_switches').values({ status, country, is_shown: isShown }).execute();
}

export async function findViewer(database: Kysely<Tables>, userId: UserId): Promise<Viewer> {
  const { rows } = await sql<Viewer>`
    select country, case when exists (select from agreements a where a.user_id = u.id and a.status = 'signed')
      then 'client' else 'person' end as status from users u where u.id = ${userId}`.execute(database);
  return rows[0] ?? { status: 'visitor', country: null };
}

/** Once until it is decided otherwise: people look at many pages. */
export async function recordFiguresDecision(
  database: Kysely<Tables>,
  {
    userId,
    viewer,
    decision,
  }: { readonly userId: UserId; readonly viewer: Viewer; readonly decision: FiguresDecision },
): Promise<void> {
  const outcome = decision.isShown ? 'allowed' : 'refused';
  const inputs = JSON.stringify({ status: viewer.status, country: viewer.country });
  await sql`
    insert into eligibility_decisions (user_id, rule, rule_version, occasion, inputs, outcome, reasons)
    select ${userId}, 'hypothetical_figures', ${decision.ruleVersion}, 'figures', ${inputs}::jsonb, ${outcome}, ${[decision.reason]}
    where not exists (
      select from (select rule_version, inputs, outcome from eligibility_decisions
        where user_id = ${userId} and rule = 'hypothetical_figures' order by id desc limit 1) last
      where last.rule_version = ${decision.ruleVersion} and last.inputs = ${inputs}::jsonb and last.outcome = ${outcome})`.execute(
    database,
  );
}
