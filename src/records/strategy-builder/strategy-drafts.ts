// Strategies as their writers see them: their own drafts, and for the provider's staff the catalogue too.
import { sql, type Kysely, type Transaction } from 'kysely';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { OptionOverlay } from '#engine/strategy/option-overlay.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { StrategyId, StrategyVersionId, Symbol, UserId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { StrategyStatus } from '../strategies/strategies.ts';
import type { Tables } from '../tables.ts';

export type StrategyDraft = {
  readonly id: StrategyId;
  /** Null for the provider. */
  readonly ownerId: UserId | null;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly kind: InstrumentKind;
  readonly strategyType: string;
  readonly market: 'us' | 'global';
  readonly minInvestment: Micro;
  readonly status: StrategyStatus;
  /** The published strategy whose next version it is to become. */
  readonly replaces: StrategyId | null;
  readonly versionId: StrategyVersionId;
  readonly versionNumber: number;
  /** Trading clock. */
  readonly committedAt: Instant;
  readonly definition: unknown;
  readonly definitionHash: string;
  readonly thumbnailHash: string | null;
  /** A deployment that has not ended trades it. */
  readonly isTraded: boolean;
  readonly createdAt: Date;
};

type Described = Pick<
  StrategyDraft,
  'name' | 'shortDescription' | 'description' | 'strategyType' | 'market' | 'minInvestment'
>;

type NewVersion = {
  readonly id: string;
  readonly definition: StrategyDefinition;
  readonly hash: string;
  /** Trading clock. */
  readonly at: Instant;
};

function drafts(database: Kysely<Tables>) {
  return database
    .selectFrom('strategies as s')
    .innerJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('strategy_versions')
          .select(['id as version_id', 'number', 'definition', 'definition_hash', 'committed_at'])
          .whereRef('strategy_id', '=', 's.id')
          .orderBy('number', 'desc')
          .limit(1)
          .as('v'),
      (join) => join.onTrue(),
    )
    .leftJoin('strategy_thumbnails as t', 't.strategy_id', 's.id')
    .selectAll('s')
    .select([
      'v.version_id',
      'v.number',
      'v.definition',
      'v.definition_hash',
      'v.committed_at',
      't.hash as thumbnail_hash',
      sql<boolean>`exists (select from live_deployments d where d.strategy_id = s.id)`.as('is_traded'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof drafts>['execute']>>[number];

function draftOf(row: Row): StrategyDraft {
  return {
    id: row.id,
    ownerId: row.owner_id as UserId | null,
    name: row.name,
    shortDescription: row.short_description,
    description: row.description,
    kind: row.kind,
    strategyType: row.strategy_type,
    market: row.market as 'us' | 'global',
    minInvestment: parseMicro(row.min_investment_micro),
    status: row.status,
    replaces: row.replaces_id as StrategyId | null,
    versionId: row.version_id as StrategyVersionId,
    versionNumber: row.number,
    committedAt: parseInstant(row.committed_at),
    definition: row.definition,
    definitionHash: row.definition_hash,
    thumbnailHash: row.thumbnail_hash,
    isTraded: row.is_traded,
    createdAt: row.created_at,
  };
}

/** Newest first. */
export async function listDrafts(
  database: Kysely<Tables>,
  ownerId: UserId,
): Promise<readonly StrategyDraft[]> {
  const rows = await drafts(database)
    .where('s.owner_id', '=', ownerId)
    .orderBy('s.created_at', 'desc')
    .execute();
  return rows.map(draftOf);
}

export type CatalogueRow = {
  readonly id: StrategyId;
  readonly name: string;
  readonly shortDescription: string;
  readonly status: StrategyStatus;
  readonly version: number;
  readonly author: string | null;
  readonly hasResult: boolean;
  readonly replaces: { readonly id: string; readonly name: string } | null;
  readonly deployments: number;
  readonly createdAt: Date;
};

/** The catalogue, and the drafts of the provider's staff. */
export async function listCatalogueRows(database: Kysely<Tables>): Promise<readonly CatalogueRow[]> {
  const { rows } = await sql<CatalogueRow>`
    select s.id, s.name, s.short_description as "shortDescription", s.status, v.number as version, u.email as author,
      exists (select from backtests b where b.strategy_version_id = v.id) as "hasResult",
      (select json_build_object('id', r.id, 'name', r.name) from strategies r where r.id = s.replaces_id) as replaces,
      (select count(*)::int from live_deployments d where d.strategy_id = s.id and d.mode = 'real') as deployments,
      s.created_at as "createdAt"
    from strategies s join lateral (select id, number from strategy_versions where strategy_id = s.id
      order by number desc limit 1) v on true
    left join users u on u.id = s.owner_id
    where s.owner_id is null or u.role = 'provider' order by s.status = 'retired', s.name, s.id`.execute(
    database,
  );
  return rows;
}

export async function findDraft(database: Kysely<Tables>, id: string): Promise<StrategyDraft | undefined> {
  if (!isUuid<StrategyId>(id)) return undefined;
  const row = await drafts(database).where('s.id', '=', id).executeTakeFirst();
  return row && draftOf(row);
}

/** Of one person, in any version. */
export async function countDrafts(trx: Transaction<Tables>, ownerId: UserId): Promise<number> {
  const { rows } = await sql<{ drafts: number }>`
    select count(*)::int as drafts from strategies where owner_id = ${ownerId} and status = 'draft'`.execute(
    trx,
  );
  return rows[0]!.drafts;
}

/** As findDraft, locked until the transaction ends; read once the lock is held, so with all that was written before. */
export async function lockDraft(trx: Transaction<Tables>, id: string): Promise<StrategyDraft | undefined> {
  if (!isUuid<StrategyId>(id)) return undefined;
  await trx.selectFrom('strategies').select('id').where('id', '=', id).forUpdate().execute();
  return findDraft(trx, id);
}

/** The kind of each of these instruments; unknown ones are left out. */
export async function findKinds(
  database: Kysely<Tables>,
  symbols: readonly Symbol[],
): Promise<ReadonlyMap<Symbol, InstrumentKind>> {
  const rows = await database
    .selectFrom('instruments')
    .select(['symbol', 'kind'])
    .where('symbol', 'in', symbols)
    .execute();
  return new Map(rows.map(({ symbol, kind }) => [symbol, kind]));
}

/** Those of them on which options that settle so are or were listed. */
export async function findOptioned(
  database: Kysely<Tables>,
  { underlyings, settlement = 'shares' }: Pick<OptionOverlay, 'underlyings' | 'settlement'>,
): Promise<ReadonlySet<Symbol>> {
  const { rows } = await sql<{ symbol: Symbol }>`
    select u.symbol from unnest(${underlyings}::text[]) as u (symbol)
    where exists (select from instruments i where i.kind = 'options' and split_part(i.symbol, '.', 1) = u.symbol
      and (right(i.symbol, 1) = 'E') = ${settlement === 'cash'})`.execute(database);
  return new Set(rows.map(({ symbol }) => symbol));
}

/** Until its result is measured it counts as the riskiest. */
const UNMEASURED = { risk_level: 'high', risk_score: 5 } as const;

export async function createDraft(
  trx: Transaction<Tables>,
  draft: Described & {
    readonly id: StrategyId;
    readonly ownerId: UserId;
    readonly kind: InstrumentKind;
    readonly replaces?: StrategyId;
  },
): Promise<void> {
  await trx
    .insertInto('strategies')
    .values({
      id: draft.id,
      slug: draft.id,
      owner_id: draft.ownerId,
      ...columns(draft),
      kind: draft.kind,
      replaces_id: draft.replaces ?? null,
      ...UNMEASURED,
      status: 'draft',
    })
    .execute();
}

export async function changeDraft(
  trx: Transaction<Tables>,
  id: StrategyId,
  change: Described & { readonly kind: InstrumentKind },
): Promise<void> {
  await trx
    .updateTable('strategies')
    .set({ ...columns(change), kind: change.kind })
    .where('id', '=', id)
    .execute();
}

function columns(described: Described) {
  return {
    name: described.name,
    short_description: described.shortDescription,
    description: described.description,
    strategy_type: described.strategyType,
    market: described.market,
    min_investment_micro: described.minInvestment,
  };
}

/** Versions never change: another definition is the next version. */
export async function addVersion(
  trx: Transaction<Tables>,
  strategyId: StrategyId,
  version: NewVersion,
): Promise<void> {
  await sql`
    insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at)
    select ${version.id}::uuid, ${strategyId}::uuid, coalesce(max(number), 0) + 1,
      ${JSON.stringify(version.definition)}::jsonb, ${version.hash}, ${isoText(version.at)}::timestamptz
    from strategy_versions where strategy_id = ${strategyId}`.execute(trx);
}

/** A published strategy is the provider's, not its writer's: from then on the trader keeps its result up to date. */
export async function setStrategyStatus(
  trx: Transaction<Tables>,
  id: StrategyId,
  status: StrategyStatus,
): Promise<void> {
  await trx
    .updateTable('strategies')
    .set({ status, ...(status === 'draft' ? {} : { owner_id: null }) })
    .where('id', '=', id)
    .execute();
}

/** The risk figures of its newest result; the status stays. */
export async function setMeasuredRisk(
  database: Kysely<Tables>,
  id: StrategyId,
  risk: { readonly level: 'low' | 'medium' | 'high'; readonly score: number },
): Promise<void> {
  await database
    .updateTable('strategies')
    .set({ risk_level: risk.level, risk_score: risk.score })
    .where('id', '=', id)
    .execute();
}

/** What its rules are called and of which type they are, where a search has found them. */
export async function setKindOfRules(
  trx: Transaction<Tables>,
  id: StrategyId,
  about: { readonly name: string; readonly sentence: string; readonly strategyType: string },
): Promise<void> {
  await trx
    .updateTable('strategies')
    .set({ name: about.name, short_description: about.sentence, strategy_type: about.strategyType })
    .where('id', '=', id)
    .execute();
}

export async function isDeployed(trx: Transaction<Tables>, id: StrategyId): Promise<boolean> {
  const row = await trx
    .selectFrom('deployments')
    .select('id')
    .where('strategy_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeDraft(trx: Transaction<Tables>, id: StrategyId): Promise<void> {
  await trx.deleteFrom('strategies').where('id', '=', id).execute();
}
