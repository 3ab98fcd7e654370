// A language model whose answers a test sets, in the process: for what is about the product and not about a protocol.
import type { LanguageModelPort, ModelAnswer, ModelQuestion } from '#ports/language-model.ts';
import type { Proposal, ProposedFeature } from '#rules/strategy-builder/proposal/proposal-shape.ts';
import { type Micro, toMicro } from '#units/money.ts';
import type { Dependencies } from '#server/http/dependencies.ts';

export type ScriptedModel = {
  readonly languageModel: NonNullable<Dependencies['languageModel']>;
  readonly asked: ModelQuestion[];
  /** Taken in order; the last one stays. */
  script: ModelAnswer[];
};

const USED = { usage: { input: 1_000, output: 200, cost: 6_000 as Micro }, answeredBy: 'stand-in' } as const;

export const answers = (object: unknown): ModelAnswer => ({ outcome: 'object', object, ...USED });

export const fails = (outcome: Exclude<ModelAnswer['outcome'], 'object'>): ModelAnswer => ({
  outcome,
  detail: 'as scripted',
  ...USED,
});

export function scriptedModel(
  daily: { readonly calls: number; readonly tokens: number; readonly money: Micro } = {
    calls: 1_000,
    tokens: 100_000_000,
    money: toMicro(1_000),
  },
): ScriptedModel {
  const asked: ModelQuestion[] = [];
  const port: LanguageModelPort = {
    vendor: 'anthropic',
    model: 'stand-in',
    isStandIn: true,
    prices: { input: 3, output: 15 },
    ask(question) {
      asked.push({ ...question, messages: [...question.messages] });
      const [next, more] = scripted.script;
      if (more !== undefined) scripted.script.shift();
      if (next === undefined) throw new Error('the script has no answer');
      return Promise.resolve(next);
    },
  };
  const scripted: ScriptedModel = { languageModel: { port, daily }, asked, script: [] };
  return scripted;
}

export function feature(
  name: string,
  indicator: string,
  given: Partial<Omit<ProposedFeature, 'name' | 'indicator'>> = {},
): ProposedFeature {
  const none = { length: null, of: null, symbol: null, lag: null, output: null, deviations: null };
  return { name, indicator, ...none, fast: null, slow: null, signal: null, smooth: null, ...given };
}

export const when = (left: string, op: string, right: string) => [{ all: [{ left, op, right }] }];

/** Above the 50-day average, and what is given instead. */
export function proposal(given: Partial<Proposal> = {}): Proposal {
  return {
    missing: 'nothing',
    instruments: ['SPY'],
    schedule: 'day',
    direction: 'long',
    features: [feature('average', 'sma', { length: 50 })],
    rule: 'signals',
    enter_long: when('close', 'above', 'average'),
    exit_long: when('close', 'below', 'average'),
    enter_short: [],
    exit_short: [],
    ranking: null,
    pair: null,
    weighting: { type: 'equal', length: null, annual_percent: null, weights: [] },
    gross_percent: 100,
    stop_percent: null,
    target_percent: null,
    bars_held: null,
    options: null,
    words: [],
    ...given,
  };
}
