import { createHash } from 'node:crypto';
import { getRole } from '#records/identity/users.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { lockDraft, type StrategyDraft } from '#records/strategy-builder/strategy-drafts.ts';
import type { UserId } from '#units/identifiers.ts';
import { refuse } from '../../http/refusal.ts';
import { type PublicationChecks, readPublicationChecks } from './publication-checks.ts';
import { found, type Subject } from './subject.ts';

/** A draft of the provider. Seen with the attack on it and its acceptance: another verdict makes a proposal void. */
export async function findPublication(trx: Transaction, id: string): Promise<Subject | undefined> {
  const draft = await lockDraft(trx, id);
  if (draft === undefined || !(await isOfProvider(trx, draft.ownerId))) return undefined;
  const target = draft.replaces === null ? undefined : await lockDraft(trx, draft.replaces);
  const checks = await readPublicationChecks(trx, draft);
  const stands = target === undefined ? '' : ` for ${target.status} ${target.versionId}`;
  const seen = `${allOf(draft)}${stands}${seenOf(checks)}`;
  if (draft.status === 'published')
    return found(seen, refuse('already_decided', 'This strategy is published already.'), draft.ownerId);
  if (target !== undefined && target.status !== 'published')
    return found(seen, refuse('illegal_move', TARGET_IS_OUT), draft.ownerId);
  const isSame = checks.hasResult && target?.definitionHash === draft.definitionHash;
  const said = isSame ? SAME_RULES : checks.note;
  return found(seen, said === null ? null : refuse('illegal_move', said), draft.ownerId);
}

function seenOf({ attack, accepted }: Pick<PublicationChecks, 'attack' | 'accepted'>): string {
  if (attack === null) return '';
  const word = accepted === null ? '' : `, accepted ${accepted.at.toISOString()}`;
  return ` attack ${attack.id} ${attack.verdict}${word}`;
}

/** Its texts and figures too: everybody would read them. */
function allOf(draft: StrategyDraft): string {
  const { name, shortDescription, description, strategyType, market, minInvestment, thumbnailHash } = draft;
  const words = [name, shortDescription, description, strategyType, market, minInvestment, thumbnailHash];
  const hash = createHash('sha256')
    .update(JSON.stringify([draft.definitionHash, ...words]))
    .digest('hex');
  return `${draft.status} ${hash}`;
}

/** Of the catalogue, or written by staff of the provider. */
async function isOfProvider(trx: Transaction, ownerId: UserId | null): Promise<boolean> {
  return ownerId === null || (await getRole(trx, ownerId)) === 'provider';
}

const TARGET_IS_OUT = 'The strategy that this is a version of is not published.';
const SAME_RULES = 'Its rules are those of the published version.';
