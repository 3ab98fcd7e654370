// What the doctor says of a language model: whether it answers, and the setting to change where it does not.
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { mountLanguageModelStandIn } from '#sandbox/language-model/stand-in.ts';
import { readLanguageModel } from '../environment/language-model-settings.ts';
import { connectLanguageModel } from '../wiring/connect-language-model.ts';
import { checkLanguageModel } from './check-language-model.ts';

const app = Fastify();
const standIn = mountLanguageModelStandIn(app, { key: 'the-key-of-a-test' });
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`;
afterAll(() => app.close());

const found = async (change: Readonly<Record<string, string>> = {}) => {
  const all: Readonly<Record<string, string>> = {
    LANGUAGE_MODEL: 'anthropic',
    LANGUAGE_MODEL_ID: 'stand-in',
    LANGUAGE_MODEL_KEY: 'the-key-of-a-test',
    LANGUAGE_MODEL_URL: url,
    LANGUAGE_MODEL_PRICES: '3/15',
    ...change,
  };
  const languageModel = readLanguageModel((name) => all[name] ?? null);
  const { isFit, detail } = await checkLanguageModel(connectLanguageModel({ languageModel }));
  return `${isFit ? 'ok' : 'NOT OK'} ${detail}`;
};

test.each(['anthropic', 'openai-compatible'])(
  '%s that answers is fit, and a stand-in is called one',
  async (vendor) => {
    expect(await found({ LANGUAGE_MODEL: vendor })).toBe(
      `ok stand-in at ${vendor} answers; it is a stand-in, no language model`,
    );
  },
);

test('no model is no fault', async () => {
  expect(await checkLanguageModel(null)).toMatchObject({ isFit: true });
});

test('a wrong key names the settings and not the key', async () => {
  const said = await found({ LANGUAGE_MODEL_KEY: 'a-wrong-key' });
  expect(said).toBe(
    'NOT OK stand-in at anthropic does not answer (denied, status 401): check LANGUAGE_MODEL_KEY, LANGUAGE_MODEL_ID and LANGUAGE_MODEL_URL',
  );
});

test('a service that is down or has a limit is told apart', async () => {
  standIn.script.push({ does: 'fail', status: 503 }, { does: 'fail', status: 429 });
  expect(await found()).toContain('(unreachable, status 503): check LANGUAGE_MODEL_URL');
  expect(await found()).toContain('has no more to spend for now');
});
