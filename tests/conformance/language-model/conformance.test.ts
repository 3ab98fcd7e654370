// The same exam for each protocol of language models, against the stand-in that speaks both.
import Fastify from 'fastify';
import { afterAll, describe, test } from 'vitest';
import { anthropicModel } from '#adapters/language-model/anthropic/anthropic-model.ts';
import { openaiCompatibleModel } from '#adapters/language-model/openai-compatible/openai-compatible-model.ts';
import { mountLanguageModelStandIn, STAND_IN_MODEL } from '#sandbox/language-model/stand-in.ts';
import { MODEL_CASES, type Stage } from './model-cases.ts';

const app = Fastify();
const key = 'stand-in-key-0123456789';
const standIn = mountLanguageModelStandIn(app, { key });
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`;
afterAll(() => app.close());

const OPTIONS = { model: STAND_IN_MODEL, isStandIn: true, prices: { input: 3, output: 15 }, key, url };

describe.each([
  ['anthropic', anthropicModel],
  ['openai-compatible', openaiCompatibleModel],
] as const)('%s', (_vendor, open) => {
  const stage: Stage = {
    standIn,
    model: open(OPTIONS),
    with: (other) => open({ ...OPTIONS, ...other }),
  };
  test.each(MODEL_CASES.map(({ says, run }) => [says, run] as const))('%s', (_says, run) => run(stage));
});
