import type { RiskProfile } from '#contract/suitability.ts';
import type { RiskProfileRecord } from '#records/suitability/risk-profiles.ts';

export function showRiskProfile(record: RiskProfileRecord): RiskProfile {
  const { responses } = record;
  return {
    id: record.id,
    user: record.userId,
    risk_tolerance: record.riskTolerance,
    investment_experience: responses.investment_experience.value,
    investment_objective: responses.investment_objective.value,
    time_horizon: responses.time_horizon.value,
    financial_situation: responses.financial_situation.value,
    max_drawdown_tolerance: record.maxDrawdownTolerance,
    score: record.score,
    risk_score: record.riskScore,
    recommendations: [...record.recommendations],
    questionnaire_responses: responses,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
  };
}
