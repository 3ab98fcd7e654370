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
