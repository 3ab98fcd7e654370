// A strategy whose decisions come from a model, and records of answers to it, for tests.
import { answerColumns, type RecordedDecisionOfModel } from '#engine/decider/recorded-answers.ts';
import type { DeciderRule } from '#engine/decider/decider-rule.ts';
import {
  decisionCloses,
  decisionQuestion,
  type DecisionQuestion,
} from '#engine/decider/decision-questions.ts';
import { decide, readAnswer } from '#engine/decider/read-answer.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import type { Micro } from '#units/money.ts';
import { definitionOf, SAMPLE_SYMBOLS } from './sample-definitions.ts';

export function deciderOfTest(rule: object = {}, more: object = {}): StrategyDefinition {
  return definitionOf({
    universe: SAMPLE_SYMBOLS,
    schedule: { every: 'week' },
    features: { month: { indicator: 'roc', length: 10 }, mean: { indicator: 'sma', length: 5 } },
    rule: {
      type: 'decider',
      asks: 'language_model',
      model: 'stand-in',
      knowledgeUntil: '2010-01-01',
      instructions: 'Hold what rises.',
      dollarsPerMonth: 5,
      withoutAnswer: 'hold',
      ...rule,
    },
    ...more,
  });
}

/** A record in which `answer` was given at each close; null is no answer. */
export function recordOf(
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  answer: (question: DecisionQuestion) => object | null,
  cost = 0,
): readonly RecordedDecisionOfModel[] {
  const rule = definition.rule as DeciderRule;
  return decisionCloses(definition, series).map((asOf) => {
    const question = decisionQuestion({ definition, rule }, series, asOf)!;
    const object = answer(question);
    const { direction } = definition;
    const read =
      object === null ? null : readAnswer({ rule, direction, instruments: question.instruments }, object);
    if (typeof read === 'string') throw new Error(read);
    const shares = read && decide([read]);
    const weights =
      shares && Object.fromEntries(question.instruments.map(({ symbol }, i) => [symbol, shares[i]!]));
    return { asOf, weights, cost: cost as Micro };
  });
}

/** All money on what rose most, by the numbers of the question. */
export function holdBest({ text, instruments }: DecisionQuestion): object {
  const { instruments: shown } = JSON.parse(text) as {
    instruments: { instrument: string; features: { month: number } }[];
  };
  const best = shown.toSorted((one, other) => other.features.month - one.features.month)[0]!;
  return { weights: [{ instrument: best.instrument ?? instruments[0]!.name, percent: 100 }] };
}

export const columnsOf = answerColumns;
