import type { RiskProfile } from '#contract/suitability.ts';
import { findRiskProfile, saveRiskProfile } from '#records/suitability/risk-profiles.ts';
import { recordAdvice } from '#records/suitability/advice-records.ts';
import { assessAnswers, type Answers } from '#rules/suitability/assess-answers.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { notFound, refuse, type Refused } from '../http/refusal.ts';
import { showRiskProfile } from '../answers/show-risk-profile.ts';

type Sent = Readonly<Record<string, { readonly value: string }>>;

/** Computes the profile from the answers, ignores any submitted score, and stores it. */
export async function assessCaller(
  { userId, responses }: { readonly userId: UserId; readonly responses: Sent },
  { records, now }: Dependencies,
): Promise<RiskProfile | Refused> {
  const answers = Object.fromEntries(
    Object.entries(responses).map(([id, { value }]) => [id, value]),
  ) as Answers;
  const result = assessAnswers(answers);
  if (!result.ok) {
    return refuse('invalid_field', result.message, { field: `questionnaire_responses.${result.field}` });
  }
  const { assessment } = result;
  const profile = {
    userId,
    responses: assessment.responses,
    score: assessment.score,
    riskScore: assessment.clientRiskScore,
    riskTolerance: assessment.riskTolerance,
    maxDrawdownTolerance: assessment.maxDrawdownTolerance,
    recommendations: assessment.recommendations,
    at: now(),
  };
  await records.database.transaction().execute(async (trx) => {
    const before = await findRiskProfile(trx, userId);
    await saveRiskProfile(trx, profile);
    if (before?.riskScore !== profile.riskScore) await recordAdvice(trx, { userId }, 'client_score');
  });
  const saved = await findRiskProfile(records.database, userId);
  return saved ? showRiskProfile(saved) : notFound();
}
