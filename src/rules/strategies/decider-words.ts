// What is said of a strategy whose decisions come from a model, in words.
import type { DeciderRule } from '#engine/decider/decider-rule.ts';
import { longDate } from '../long-date.ts';

export type DeciderLine = { readonly title: string; readonly text: string };

export function deciderLines(rule: DeciderRule): readonly DeciderLine[] {
  return [
    { title: 'Decides', text: `${ASKED[rule.asks]} ${rule.model}, ${answers(rule)}` },
    { title: 'Is asked', text: rule.instructions },
    { title: 'Knows', text: `What happened until ${longDate(rule.knowledgeUntil)}` },
    { title: 'Without an answer', text: FALLBACKS[rule.withoutAnswer] },
    {
      title: 'Limits',
      text: `${rule.withinSeconds} seconds a decision, $${rule.dollarsPerMonth} a month`,
    },
  ];
}

function answers({ samples, asks }: DeciderRule): string {
  const what = asks === 'time_series' ? 'which forecasts returns' : 'which proposes weights';
  return samples === 1 ? `${what}, asked once` : `${what}, asked ${samples} times: their mean counts`;
}

const ASKED = { language_model: 'The language model', time_series: 'The time-series model' } as const;

/** What happens at a close without an answer: the model is out of order, too slow, or its budget is used up. */
export const FALLBACKS = {
  hold: 'Nothing is traded: what is held stays until the next answer',
  flat: 'Everything is sold, until the next answer',
} as const;

export const DECIDER_NOT_IN_DRAFTS =
  'A strategy whose decisions come from a model is published by the provider, with a record of its answers. It cannot be a draft.';

export const PROBE_NAMES = {
  plain: 'As it is asked',
  masked: 'Without names, dates and prices',
  perturbed: 'Every number up to 1% off',
} as const;

/** Why an answer is none. */
export function noAnswerReason(outcome: string): string {
  return NO_ANSWER[outcome as keyof typeof NO_ANSWER] ?? 'It did not fit the form';
}

const NO_ANSWER = {
  refused: 'The model declined',
  truncated: 'The answer was too long',
  malformed: 'It did not fit the form',
  unreachable: 'The service was not reached',
  too_slow: 'It came too late',
  over_limit: 'The service takes no more for now',
  denied: 'The service refused us',
  other_model: 'Another model answered',
  over_budget: 'The budget of the month is used up',
  no_model: 'The model is not connected',
  lost: 'It never came',
} as const;

/** What a person agrees to who deploys it. */
export function fallbackSentence({
  withoutAnswer,
  model,
}: Pick<DeciderRule, 'withoutAnswer' | 'model'>): string {
  return withoutAnswer === 'flat'
    ? `A model decides: ${model}. When it gives no answer in time, everything is sold until the next answer.`
    : `A model decides: ${model}. When it gives no answer in time, nothing is traded until the next answer.`;
}
