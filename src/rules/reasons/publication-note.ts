// Why a draft of the provider is not published yet: it needs a result, an attack on it, and where the attack did not spare it,
// its author’s name.
import type { AttackVerdict } from '#engine/evidence/attack/attack-result.ts';
import { attackVerdict } from './attack-reason.ts';

export type PublicationFacts = {
  readonly hasResult: boolean;
  /** The newest on these very rules; null while nobody attacked them. */
  readonly attack: { readonly verdict: AttackVerdict; readonly isAccepted: boolean } | null;
};

/** Why it is not published yet, and the way out; null once it may be proposed. */
export function publicationNote({ hasResult, attack }: PublicationFacts): string | null {
  if (!hasResult) return 'It has no result yet: run its backtest before it is published.';
  if (attack === null) return 'Nobody has attacked it yet: its author opens the draft and attacks it.';
  if (attack.verdict === 'withstood' || attack.isAccepted) return null;
  return `The attack on it found “${attackVerdict(attack.verdict).word}”: its author accepts that by name in the draft, under “Practise and deploy”.`;
}
