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

const adviceRecord = z
  .object({
    id: z.string(),
    strategy_name: z.string(),
    /** Null for advice against a deployment that was not made. */
    deployment: z.string().nullable(),
    occasion: z.enum(['deploy', 'deposit', 'resume', 'client_score', 'strategy_score']),
    outcome: z.enum(['suitable', 'beyond_joint_tolerance', 'not_suitable', 'risk_profile_missing']),
    /** The advice as a sentence. */
    text: z.string(),
    rule_version: z.string(),
    /** Percent of what was deployed, if every strategy fell as far as it ever has at the same time. */
    joint_fall: z.number(),
    /** Percent; null without a risk profile. */
    tolerance: z.number().nullable(),
    client_score: z.number().nullable(),
    strategy_score: z.number(),
    at: z.string(),
  })
  .meta({ id: 'AdviceRecord' });

export type AdviceRecord = z.infer<typeof adviceRecord>;

const eligibility = z
  .object({
    rule_version: z.string(),
    may_invest: z.boolean(),
    /** Sentences; empty when the person may invest. */
    reasons: z.array(z.string()),
    /** What was checked of the person's identity. */
    identity: z.object({
      status: z.enum(['not_checked', 'passed', 'review', 'failed']),
      text: z.string(),
    }),
    performance_fee: z.object({
      is_charged: z.boolean(),
      /** Whether the law of the person's country lets only qualified clients pay one. */
      needs_attestation: z.boolean(),
      text: z.string(),
      attested_basis: z.enum(['assets_under_management', 'net_worth']).nullable(),
      attested_at: z.string().nullable(),
      /** The words to agree to, by what the person relies on. */
      attestations: z.array(
        z.object({ basis: z.enum(['assets_under_management', 'net_worth']), text: z.string() }),
      ),
    }),
  })
  .meta({ id: 'Eligibility' });

export type Eligibility = z.infer<typeof eligibility>;

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
  listAdvice: endpoint(ROUTES.listAdvice, {
    room: 'suitability',
    summary: 'The records of advice given to the caller, newest first',
    description:
      'One for each deployment of real money whenever it was deployed or resumed, and whenever a score changed: the rule, what was known, and all deployments together. The newest hundred.',
    security: 'bearer',
    status: 200,
    answer: z.array(adviceRecord),
    refusals: [],
  }),
  getEligibility: endpoint(ROUTES.getEligibility, {
    room: 'suitability',
    summary: 'Whether the caller may invest, and pays a performance fee',
    description: 'By the rules of today, with the reason of each.',
    security: 'bearer',
    status: 200,
    answer: eligibility,
    refusals: [],
  }),
  attestQualifiedClient: endpoint(ROUTES.attestQualifiedClient, {
    room: 'suitability',
    summary: 'State that you are a qualified client',
    description:
      'Needed in the United States before a performance fee is charged; until then none is. The words are those that the eligibility call gives for the basis.',
    security: 'bearer',
    body: z
      .object({ basis: z.enum(['assets_under_management', 'net_worth']), agrees: z.literal(true) })
      .meta({ id: 'AttestationRequest' }),
    status: 201,
    answer: eligibility,
    refusals: ['not_eligible'],
  }),
  withdrawAttestation: endpoint(ROUTES.withdrawAttestation, {
    room: 'suitability',
    summary: 'Withdraw that you are a qualified client',
    description: 'Periods that end from now on are not charged.',
    security: 'bearer',
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
} as const;
