// From six answers to a risk profile (specification, sections 5 and 9). The server and the screen call this same
// function, so that the stored score is always the one that the answers give; a score sent along counts for nothing.
import { findOption, QUESTION_IDS, type QuestionId } from './questionnaire.ts';
import {
  clientRiskScore,
  MAX_DRAWDOWN_TOLERANCE_PERCENT,
  RECOMMENDATIONS,
  type RiskClass,
  riskClass,
  type RiskScore,
} from './risk-class.ts';

/** The value chosen for each question; missing while it is unanswered. */
export type Answers = Readonly<Partial<Record<QuestionId, string>>>;

export type QuestionnaireResponses = Readonly<
  Record<QuestionId, { readonly value: string; readonly score: number }>
>;

type Assessment = {
  /** Whole percent, 0 to 100. */
  readonly score: number;
  readonly riskTolerance: RiskClass;
  readonly clientRiskScore: RiskScore;
  readonly maxDrawdownTolerance: number;
  readonly recommendations: readonly string[];
  readonly responses: QuestionnaireResponses;
};

type AssessmentResult =
  | { readonly ok: true; readonly assessment: Assessment }
  | {
      readonly ok: false;
      readonly code: 'answer_missing' | 'answer_unknown';
      readonly field: QuestionId;
      readonly message: string;
    };

/** The profile of a full set of answers, or the first question without a known answer. */
export function assessAnswers(answers: Answers): AssessmentResult {
  const responses: Partial<Record<QuestionId, { value: string; score: number }>> = {};
  let sum = 0;
  for (const field of QUESTION_IDS) {
    const value = answers[field];
    if (value === undefined || value === '') {
      return { ok: false, code: 'answer_missing', field, message: ANSWER_REQUIRED };
    }
    const option = findOption(field, value);
    if (option === undefined) {
      const message = `'${value}' is not an answer to ${field}. Please choose one of the answers shown.`;
      return { ok: false, code: 'answer_unknown', field, message };
    }
    responses[field] = { value, score: option.score };
    sum += option.score;
  }
  const score = scorePercent(sum);
  const riskTolerance = riskClass(score);
  return {
    ok: true,
    assessment: {
      score,
      riskTolerance,
      clientRiskScore: clientRiskScore(score),
      maxDrawdownTolerance: MAX_DRAWDOWN_TOLERANCE_PERCENT[riskTolerance],
      recommendations: RECOMMENDATIONS[riskTolerance],
      responses: responses as QuestionnaireResponses,
    },
  };
}

/** Specification, section 5. */
export const ANSWER_REQUIRED = 'Please select an answer before continuing';

/** The percent of 6 × 3 points. An objective of speculation counts 4, so the sum can reach 19: clamped at 100. */
function scorePercent(sum: number): number {
  return Math.min(100, Math.round((sum / 18) * 100));
}
