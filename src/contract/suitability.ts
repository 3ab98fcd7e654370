import { z } from 'zod';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const questionnaireResponses = z
  .record(z.string().max(60), z.object({ value: z.string().max(60), score: z.number().optional() }))
  .meta({ id: 'QuestionnaireResponses' });

export const riskProfile = z
  .object({
    id: z.string(),
    user: z.string(),
    risk_tolerance: z.enum(['conservative', 'moderate', 'aggressive']),
    investment_experience: z.string(),
    investment_objective: z.string(),
    time_horizon: z.string(),
    financial_situation: z.string(),
    /** Percent. */
    max_drawdown_tolerance: z.number(),
    /** 0 to 100. */
    score: z.number().int(),
    /** The same as the 1 to 5 of the risk rule: strategies up to this score are suitable. */
    risk_score: z.number().int().min(1).max(5),
    recommendations: z.array(z.string()),
    questionnaire_responses: z.record(z.string(), z.object({ value: z.string(), score: z.number() })),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'RiskProfile' });

export type RiskProfile = z.infer<typeof riskProfile>;

/** The server computes everything from the answers; other fields are accepted and ignored. */
const derived = {
  risk_tolerance: z.string().max(60).optional(),
  investment_experience: z.string().max(60).optional(),
  investment_objective: z.string().max(60).optional(),
  time_horizon: z.string().max(60).optional(),
  financial_situation: z.string().max(60).optional(),
  max_drawdown_tolerance: z.number().optional(),
  score: z.number().optional(),
  recommendations: z.array(z.string().max(1000)).max(20).optional(),
};

const riskProfileBody = z
  .object({ ...derived, questionnaire_responses: questionnaireResponses })
  .meta({ id: 'RiskProfileRequest' });

export const suitabilityEndpoints = {
  getRiskProfile: endpoint(ROUTES.getRiskProfile, {
    room: 'suitability',
    summary: "The caller's risk profile; 404 before the questionnaire is answered",
    description: 'Score, class and recommendations as computed from the answers when they were given.',
    security: 'bearer',
    status: 200,
    answer: riskProfile,
    refusals: ['not_found'],
  }),
  createRiskProfile: endpoint(ROUTES.createRiskProfile, {
    room: 'suitability',
    summary: 'Answer the questionnaire; replaces an existing profile',
    description:
      'Needs an answer to each of the six questions. Score, class, tolerance and recommendations are computed by the server; values sent are ignored.',
    security: 'bearer',
    body: riskProfileBody,
    status: 201,
    answer: riskProfile,
    refusals: [],
  }),
  changeRiskProfile: endpoint(ROUTES.changeRiskProfile, {
    room: 'suitability',
    summary: 'Answer the questionnaire again',
    description:
      'Same as creating it. Running deployments continue; new ones are checked against the new score.',
    security: 'bearer',
    params: idParams,
    body: riskProfileBody,
    status: 200,
    answer: riskProfile,
    refusals: ['not_found'],
  }),
  removeRiskProfile: endpoint(ROUTES.removeRiskProfile, {
    room: 'suitability',
    summary: 'Delete the profile; no new exposure is possible without one',
    description: 'Nothing can be deployed or resumed until the questionnaire is answered again.',
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
} as const;
