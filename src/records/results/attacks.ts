// What attacks on strategies found. Written once by the job that ran them.
import { sql, type Kysely } from 'kysely';
import type { AttackResult, AttackVerdict } from '#engine/evidence/attack/attack-result.ts';
import type { BacktestJobId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

export type Attack = {
  /** Of the job that ran it. */
  readonly id: string;
  readonly versionId: StrategyVersionId;
  readonly definitionHash: string;
  readonly engineHash: string;
  readonly dataHash: string;
  readonly verdict: AttackVerdict;
  readonly results: readonly AttackResult[];
  /** What the deflated figures counted then. */
  readonly tries: number;
  /** Trading clock. */
  readonly at: Instant;
};

export async function saveAttack(
  database: Kysely<Tables>,
  jobId: BacktestJobId,
  attack: Omit<Attack, 'id'>,
): Promise<void> {
  await database
    .insertInto('attacks')
    .values({
      id: jobId,
      strategy_version_id: attack.versionId,
      definition_hash: attack.definitionHash,
      engine_hash: attack.engineHash,
      data_hash: attack.dataHash,
      verdict: attack.verdict,
      results: JSON.stringify(attack.results),
      tries: attack.tries,
      at: isoText(attack.at),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** The newest verdict on a version, or on a definition in whichever strategy; undefined as long as nobody has attacked it. */
export async function findAttackVerdict(
  database: Kysely<Tables>,
  of: { readonly versionId: StrategyVersionId } | { readonly definitionHash: string },
): Promise<Attack | undefined> {
  const row = await database
    .selectFrom('attacks')
    .selectAll()
    .where(
      'versionId' in of
        ? sql<boolean>`strategy_version_id = ${of.versionId}`
        : sql<boolean>`definition_hash = ${of.definitionHash}`,
    )
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      versionId: row.strategy_version_id as StrategyVersionId,
      definitionHash: row.definition_hash,
      engineHash: row.engine_hash,
      dataHash: row.data_hash,
      verdict: row.verdict,
      results: row.results as readonly AttackResult[],
      tries: row.tries,
      at: parseInstant(row.at),
    }
  );
}

/** When this person accepted the verdict; null where they have not. Real clock. */
export async function findAcceptance(
  database: Kysely<Tables>,
  { attackId, userId }: { readonly attackId: string; readonly userId: UserId },
): Promise<Date | null> {
  const row = await database
    .selectFrom('attack_acceptances')
    .select('at')
    .where('attack_id', '=', attackId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** By the author of the strategy; of one without an author, the newest by anybody. */
export async function findNamedAcceptance(
  database: Kysely<Tables>,
  { attackId, authorId }: { readonly attackId: string; readonly authorId: UserId | null },
): Promise<{ readonly name: string; readonly at: Date } | undefined> {
  const given = database
    .selectFrom('attack_acceptances')
    .select(['name', 'at'])
    .where('attack_id', '=', attackId);
  const wanted = authorId === null ? given : given.where('user_id', '=', authorId);
  return wanted.orderBy('at', 'desc').limit(1).executeTakeFirst();
}

/** Once; a repeat changes nothing. */
export async function acceptVerdict(
  database: Kysely<Tables>,
  accepted: {
    readonly attackId: string;
    readonly userId: UserId;
    readonly verdict: AttackVerdict;
    readonly name: string;
  },
): Promise<void> {
  await database
    .insertInto('attack_acceptances')
    .values({
      attack_id: accepted.attackId,
      user_id: accepted.userId,
      verdict: accepted.verdict,
      name: accepted.name,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
