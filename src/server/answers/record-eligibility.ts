import type { Database } from '#records/postgres/database.ts';
import { type EligibilityDecision, recordDecisions } from '#records/suitability/eligibility-records.ts';
import { checkEligibility, type EligibilityFacts } from '#rules/eligibility/check-eligibility.ts';
import { eligibilityRulesOn } from '#rules/eligibility/rule-book.ts';
import type { UserId } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';

type About = {
  readonly userId: UserId;
  /** Null where nobody asks: one person runs the installation for themselves. */
  readonly facts: EligibilityFacts | null;
  readonly today: IsoDate;
};

/** Keeps whether this person may invest, by the rules of the day and these facts. */
export async function recordEligibility(
  database: Database,
  { userId, facts, today }: About,
  occasion: EligibilityDecision['occasion'],
): Promise<void> {
  if (facts === null) return;
  const reasons = checkEligibility(facts, today).map(({ code }) => code);
  const { version: ruleVersion } = eligibilityRulesOn(today);
  const inputs = { date_of_birth: facts.dateOfBirth, country: facts.country, day: today };
  const decision = { userId, rule: 'investing', ruleVersion, occasion, inputs, reasons } as const;
  await recordDecisions(database, [{ ...decision, isAllowed: reasons.length === 0 }]);
}
