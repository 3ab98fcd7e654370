// The tries of a person, or of the provider, around one of their rules: what its grade counts.
import { type Kysely, sql } from 'kysely';
import {
  type Candidate,
  type CountedTry,
  familyOf,
  type SearchKind,
  type TrialFamily,
} from '#engine/evidence/trial-family.ts';
import type { WeeklyGrowth } from '#engine/evidence/weekly-growth.ts';
import type { StrategyId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';
import { growthOf } from './trials.ts';

/** Of a version, or of one set of numbers in it. */
export type Judged = { readonly strategyId: StrategyId; readonly definitionHash: string };

/** How the tries were counted that a grade rests on. */
export type FamilyCount = Omit<TrialFamily, 'ledger'> &
  SearchKind & {
    /** As the deflated figures count. */
    readonly counted: number;
    /** Of the tries, the neighbours that were run for the evidence. */
    readonly variants: number;
    readonly byProvider: boolean;
    /** All tries of the same person or provider, of every kind. */
    readonly all: number;
  };

type FoundFamily = { readonly ledger: TrialFamily['ledger']; readonly count: FamilyCount };

/** Null as long as none of it is in the ledger. */
export async function findTrialFamily(database: Kysely<Tables>, judged: Judged): Promise<FoundFamily | null> {
  const own = await findOwn(database, judged);
  if (own === undefined) return null;
  const candidate = { ...countedOf(own), strategyId: judged.strategyId };
  const rows = await listTries(database, { candidate, searcher: own.searcher });
  const { ledger, ...count } = familyOf(candidate, rows.map(countedOf));
  const variants = familyOf(candidate, rows.filter(({ purpose }) => purpose === 'variant').map(countedOf));
  return {
    ledger,
    count: {
      ...count,
      counted: ledger.count,
      variants: variants.tries,
      markets: candidate.markets,
      ruleKinds: candidate.ruleKinds,
      byProvider: own.searcher === null,
      all: rows.length,
    },
  };
}

type Row = SearchKind & {
  readonly strategyId: StrategyId;
  readonly purpose: string;
  readonly sharpe: number | null;
  readonly firstWeek: number | null;
  readonly growth: Buffer | null;
};

/** Its newest try; one with a result where there is one. */
async function findOwn(
  database: Kysely<Tables>,
  { strategyId, definitionHash }: Judged,
): Promise<(Row & { readonly searcher: string | null }) | undefined> {
  const { rows } = await sql<Row & { searcher: string | null }>`
    select strategy_id as "strategyId", purpose, sharpe, markets, rule_kinds as "ruleKinds",
      first_week as "firstWeek", weekly_growth as growth,
      case when searcher in (select id from users where role = 'provider') then null else searcher end as searcher
    from trials where strategy_id = ${strategyId}
    order by definition_hash = ${definitionHash} desc, weekly_growth is null, id desc limit 1`.execute(
    database,
  );
  return rows[0];
}

/** Without the returns of those that are of its kind anyway. Who has joined the staff since has searched for the provider. */
async function listTries(
  database: Kysely<Tables>,
  { candidate, searcher }: { readonly candidate: Candidate; readonly searcher: string | null },
): Promise<readonly Row[]> {
  const { strategyId, markets, ruleKinds } = candidate;
  const { rows } = await sql<Row>`
    select strategy_id as "strategyId", purpose, sharpe, markets, rule_kinds as "ruleKinds",
      case when is_of_kind then null else first_week end as "firstWeek",
      case when is_of_kind then null else weekly_growth end as growth
    from (
      select *, strategy_id = ${strategyId} or
          markets && ${markets}::text[] and rule_kinds && ${ruleKinds}::text[] as is_of_kind
      from trials where purpose not in ('renewal', 'attack')
        and (strategy_id = ${strategyId} or ${
          searcher === null
            ? sql`searcher is null or searcher in (select id from users where role = 'provider')`
            : sql`searcher = ${searcher}::uuid`
        })) as found
    order by id`.execute(database);
  return rows;
}

function countedOf({ strategyId, markets, ruleKinds, sharpe, firstWeek, growth }: Row): CountedTry {
  const weekly: WeeklyGrowth | null =
    firstWeek === null || growth === null ? null : { firstWeek, growth: growthOf(growth) };
  return { strategyId, markets, ruleKinds, sharpe, weekly };
}
