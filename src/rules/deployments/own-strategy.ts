// What a person's own strategy must have shown before it trades: practice comes before money. A strategy of the provider is
// reviewed by two people instead.

/** Days on which a practice deployment of these very rules was valued. */
export const PRACTICE_DAYS = 5;

export type OwnStrategyFacts = {
  /** Of the rules as they are now; another version begins at none. */
  readonly practisedDays: number;
};

/** Why real money must wait; null once the rules have practised for long enough. */
export function practiceFirstNote({ practisedDays }: OwnStrategyFacts): string | null {
  if (practisedDays >= PRACTICE_DAYS) return null;
  const left = PRACTICE_DAYS - practisedDays;
  return practisedDays === 0
    ? `You wrote these rules, so they practise first: start a practice deployment, and after ${PRACTICE_DAYS} trading days you can deploy them with money.`
    : `You wrote these rules, so they practise first: ${practisedDays} of ${PRACTICE_DAYS} trading days are done. In ${left} more you can deploy them with money.`;
}

export const DEPLOYED_RULES_ARE_FIXED =
  'These rules are deployed, and they stay as they are while they trade. To change them, make a copy.';
