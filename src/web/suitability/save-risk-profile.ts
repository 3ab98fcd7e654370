import { useMutation } from '@tanstack/react-query';
import type { RiskProfile } from '#contract/suitability.ts';
import { type Answers, assessAnswers } from '#rules/suitability/assess-answers.ts';
import { call } from '../call/call.ts';
import { useSession } from '../call/session.tsx';

/** Saves the answers: over the present profile when there is one, else as the first. */
export function useSaveRiskProfile(profile: RiskProfile | null) {
  const { reloadUser } = useSession();
  return useMutation({
    mutationFn: async (answers: Answers) => {
      const result = assessAnswers(answers);
      if (!result.ok) throw new Error(result.message);
      const body = {
        questionnaire_responses: result.assessment.responses,
        score: result.assessment.score,
        risk_tolerance: result.assessment.riskTolerance,
        max_drawdown_tolerance: result.assessment.maxDrawdownTolerance,
        investment_experience: result.assessment.responses.investment_experience.value,
        investment_objective: result.assessment.responses.investment_objective.value,
        time_horizon: result.assessment.responses.time_horizon.value,
        financial_situation: result.assessment.responses.financial_situation.value,
        recommendations: [...result.assessment.recommendations],
      };
      const saved = profile
        ? await call('changeRiskProfile', { params: { id: profile.id }, body })
        : await call('createRiskProfile', { body });
      await reloadUser();
      return saved;
    },
  });
}
