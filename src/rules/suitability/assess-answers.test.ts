import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answers, assessAnswers } from './assess-answers.ts';
import { QUESTION_IDS, QUESTIONS } from './questionnaire.ts';

const pick = (index: number): Answers =>
  Object.fromEntries(
    QUESTIONS.map(({ id, options }) => [id, options[Math.min(index, options.length - 1)]!.value]),
  );

const anyAnswers = fc.record(
  Object.fromEntries(
    QUESTIONS.map((question) => [
      question.id,
      fc.constantFrom(...question.options.map((option) => option.value)),
    ]),
  ),
) as fc.Arbitrary<Answers>;

function profile(answers: Answers) {
  const result = assessAnswers(answers);
  if (!result.ok) throw new Error(result.message);
  return result.assessment;
}

describe('the questionnaire', () => {
  it('asks the six questions of the specification, with scores 1 to 3, the objective 1 to 4', () => {
    expect(
      QUESTIONS.map((question) => [question.id, question.options.map((option) => option.score)]),
    ).toEqual([
      ['investment_experience', [1, 2, 3]],
      ['investment_objective', [1, 2, 3, 4]],
      ['time_horizon', [1, 2, 3]],
      ['risk_tolerance', [1, 2, 3]],
      ['financial_situation', [1, 2, 3]],
      ['portfolio_allocation', [1, 2, 3]],
    ]);
  });

  it('calls the most careful answers conservative, 33 percent, client score 1', () => {
    expect(profile(pick(0))).toMatchObject({
      score: 33,
      riskTolerance: 'conservative',
      clientRiskScore: 1,
      maxDrawdownTolerance: 10,
    });
  });

  it('calls the middle answers moderate, 67 percent, client score 3', () => {
    expect(profile(pick(1))).toMatchObject({
      score: 67,
      riskTolerance: 'moderate',
      clientRiskScore: 3,
      maxDrawdownTolerance: 20,
    });
  });

  it('clamps the boldest answers, 19 of 18 points, at 100 percent', () => {
    expect(profile(pick(3))).toMatchObject({
      score: 100,
      riskTolerance: 'aggressive',
      clientRiskScore: 5,
      maxDrawdownTolerance: 35,
    });
  });

  it('always gives a whole percent from 33 to 100, four recommendations, and each answer with its score', () => {
    fc.assert(
      fc.property(anyAnswers, (answers) => {
        const found = profile(answers);
        expect(Number.isInteger(found.score) && found.score >= 33 && found.score <= 100).toBe(true);
        expect(found.recommendations).toHaveLength(4);
        expect(QUESTION_IDS.map((id) => found.responses[id].value)).toEqual(
          QUESTION_IDS.map((id) => answers[id]),
        );
      }),
    );
  });

  it('never lowers the client score when one answer becomes bolder', () => {
    fc.assert(
      fc.property(anyAnswers, fc.constantFrom(...QUESTIONS), (answers, question) => {
        const scores = question.options.map(
          (option) => profile({ ...answers, [question.id]: option.value }).clientRiskScore,
        );
        expect(scores).toEqual([...scores].sort((left, right) => left - right));
      }),
    );
  });

  it('names the first question that has no answer, or one that is not on the list', () => {
    const { time_horizon: _, ...rest } = pick(1);
    expect(assessAnswers(rest)).toEqual({
      ok: false,
      code: 'answer_missing',
      field: 'time_horizon',
      message: 'Please select an answer before continuing',
    });
    expect(assessAnswers({ ...pick(1), risk_tolerance: 'panic' })).toMatchObject({
      code: 'answer_unknown',
      field: 'risk_tolerance',
    });
  });
});
