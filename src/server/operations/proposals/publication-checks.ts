import type { Database } from '#records/postgres/database.ts';
import { type Attack, findAttackVerdict, findNamedAcceptance } from '#records/results/attacks.ts';
import { findNewestBacktest } from '#records/results/backtests.ts';
import type { StrategyDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { publicationNote } from '#rules/reasons/publication-note.ts';

export type PublicationChecks = {
  readonly hasResult: boolean;
  /** The newest on these very rules; null while nobody attacked them. */
  readonly attack: Attack | null;
  /** The author’s name under its verdict. */
  readonly accepted: { readonly name: string; readonly at: Date } | null;
  /** Why it is not published yet; null once it may be proposed. */
  readonly note: string | null;
};

/** What a draft of the provider has shown. */
export async function readPublicationChecks(
  database: Database,
  { versionId, ownerId }: Pick<StrategyDraft, 'versionId' | 'ownerId'>,
): Promise<PublicationChecks> {
  const hasResult = (await findNewestBacktest(database, versionId)) !== undefined;
  const attack = (await findAttackVerdict(database, { versionId })) ?? null;
  const accepted =
    (attack && (await findNamedAcceptance(database, { attackId: attack.id, authorId: ownerId }))) ?? null;
  const facts = attack && { verdict: attack.verdict, isAccepted: accepted !== null };
  return { hasResult, attack, accepted, note: publicationNote({ hasResult, attack: facts }) };
}
