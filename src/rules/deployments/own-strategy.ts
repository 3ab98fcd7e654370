// What a person's own strategy must have shown before money follows it: it was attacked, and its author knows what that found;
// and it practised. A strategy of the provider is reviewed by two people instead.
import type { AttackVerdict } from '#engine/evidence/attack/attack-result.ts';

/** Days on which a practice deployment of these very rules was valued. */
export const PRACTICE_DAYS = 5;

export type OwnStrategyFacts = {
  /** The newest verdict on these very rules, and whether their author accepted it by name; null while nobody attacked them. */
  readonly attack: { readonly verdict: AttackVerdict; readonly isAccepted: boolean } | null;
  /** Of the rules as they are now; another version begins at none. */
  readonly practisedDays: number;
};

/** Why real money must wait; null once the rules were attacked and have practised for long enough. */
export function practiceFirstNote({ attack, practisedDays }: OwnStrategyFacts): string | null {
  const open = [attackNote(attack), practiceNote(practisedDays)].filter((note) => note !== null);
  return open.length === 0
    ? null
    : `You wrote these rules: before money follows them, ${open.join(', and ')}.`;
}

function attackNote(attack: OwnStrategyFacts['attack']): string | null {
  if (attack === null) return 'attack them';
  if (attack.verdict === 'withstood' || attack.isAccepted) return null;
  return 'accept by your name what the attack found';
}

function practiceNote(practisedDays: number): string | null {
  if (practisedDays >= PRACTICE_DAYS) return null;
  return practisedDays === 0
    ? `practise them for ${PRACTICE_DAYS} trading days`
    : `practise them for ${PRACTICE_DAYS} trading days, of which ${practisedDays} ${practisedDays === 1 ? 'is' : 'are'} done`;
}

export const DEPLOYED_RULES_ARE_FIXED =
  'These rules are deployed, and they stay as they are while they trade. To change them, make a copy.';
