// A model that decides as a test says, in the process, through the port.
import type { LanguageModelPort, ModelAnswer, ModelQuestion } from '#ports/language-model.ts';
import type { Micro } from '#units/money.ts';

export type DecidingModel = {
  readonly port: LanguageModelPort;
  readonly asked: ModelQuestion[];
  /** What is answered to the next questions. */
  answer: (question: ModelQuestion, nth: number) => Promise<ModelAnswer> | ModelAnswer;
};

const USED = { usage: { input: 1_000, output: 200, cost: 6_000 as Micro }, answeredBy: 'stand-in' } as const;

/** All money on one instrument. */
export const allOn = (instrument: string): ModelAnswer => ({
  outcome: 'object',
  object: { weights: [{ instrument, percent: 100 }] },
  ...USED,
});

export const saying = (object: unknown, more: Partial<ModelAnswer> = {}): ModelAnswer =>
  ({ outcome: 'object', object, ...USED, ...more }) as ModelAnswer;

export function decidingModel(
  answer: DecidingModel['answer'] = () => allOn('AAA'),
  model = 'stand-in',
): DecidingModel {
  const asked: ModelQuestion[] = [];
  const made: DecidingModel = {
    asked,
    answer,
    port: {
      vendor: 'anthropic',
      model,
      isStandIn: true,
      prices: { input: 3, output: 15 },
      ask: async (question) => made.answer(question, asked.push(question)),
    },
  };
  return made;
}
