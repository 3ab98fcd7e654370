import { randomUUID } from 'node:crypto';
import type { QuestionnaireResponses } from '#rules/suitability/assess-answers.ts';
import type { RiskClass, RiskScore } from '#rules/suitability/risk-class.ts';
import type { RiskProfileId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

export type RiskProfileRecord = {
  readonly id: RiskProfileId;
  readonly userId: UserId;
  readonly responses: QuestionnaireResponses;
  /** Percent. */
  readonly score: number;
  readonly riskScore: RiskScore;
  readonly riskTolerance: RiskClass;
  /** Percent. */
  readonly maxDrawdownTolerance: number;
  readonly recommendations: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type NewRiskProfile = Omit<RiskProfileRecord, 'id' | 'createdAt' | 'updatedAt'> & {
  readonly at: Instant;
};

/** A person has one profile: a new assessment replaces the old one. */
export async function saveRiskProfile(database: Database, profile: NewRiskProfile): Promise<void> {
  const { responses } = profile;
  const values = {
    responses: JSON.stringify(responses),
    score: profile.score,
    risk_score: profile.riskScore,
    risk_tolerance: profile.riskTolerance,
    investment_experience: responses.investment_experience.value,
    investment_objective: responses.investment_objective.value,
    time_horizon: responses.time_horizon.value,
    financial_situation: responses.financial_situation.value,
    max_drawdown_tolerance: profile.maxDrawdownTolerance,
    recommendations: JSON.stringify(profile.recommendations),
    updated_at: isoText(profile.at),
  };
  await database
    .insertInto('risk_profiles')
    .values({
      id: randomUUID() as string as RiskProfileId,
      user_id: profile.userId,
      created_at: isoText(profile.at),
      ...values,
    })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

export async function findRiskProfile(
  database: Database,
  userId: UserId,
): Promise<RiskProfileRecord | undefined> {
  const row = await database
    .selectFrom('risk_profiles')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (
    row && {
      id: row.id as RiskProfileId,
      userId,
      responses: row.responses as QuestionnaireResponses,
      score: row.score,
      riskScore: row.risk_score as RiskScore,
      riskTolerance: row.risk_tolerance as RiskClass,
      maxDrawdownTolerance: row.max_drawdown_tolerance,
      recommendations: row.recommendations as readonly string[],
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  );
}

export async function removeRiskProfile(database: Database, id: RiskProfileId): Promise<void> {
  await database.deleteFrom('risk_profiles').where('id', '=', id).execute();
}
