import { expect, test } from 'vitest';
import { readLanguageModel } from './language-model-settings.ts';

const COMPLETE: Readonly<Record<string, string>> = {
  LANGUAGE_MODEL: 'anthropic',
  LANGUAGE_MODEL_ID: 'claude-sonnet-4-5',
  LANGUAGE_MODEL_KEY: 'sk-ant-0123456789',
  LANGUAGE_MODEL_PRICES: '3/15',
};
const read = (change: Readonly<Record<string, string | null>> = {}) => {
  const all: Readonly<Record<string, string | null>> = { ...COMPLETE, ...change };
  return readLanguageModel((name) => all[name] ?? null);
};

test('without the setting there is no model, and the grammar reads alone', () => {
  expect(readLanguageModel(() => null)).toBeNull();
});

test('a model has its key, its prices and what a person may spend in a day', () => {
  expect(read({ LANGUAGE_MODEL_DAILY_CALLS: '5' })).toEqual({
    vendor: 'anthropic',
    model: 'claude-sonnet-4-5',
    key: 'sk-ant-0123456789',
    url: null,
    prices: { input: 3, output: 15 },
    daily: { calls: 5, tokens: 1_000_000, dollars: 2 },
  });
});

test('a server on this machine may go without a key', () => {
  const own = { LANGUAGE_MODEL: 'openai-compatible', LANGUAGE_MODEL_KEY: null, LANGUAGE_MODEL_PRICES: '0/0' };
  expect(read({ ...own, LANGUAGE_MODEL_URL: 'http://127.0.0.1:11434/v1/' })).toMatchObject({
    key: null,
    url: 'http://127.0.0.1:11434/v1',
  });
  expect(() => read({ ...own, LANGUAGE_MODEL_URL: 'https://models.example.com/v1' })).toThrow(
    'needs LANGUAGE_MODEL_KEY',
  );
});

test.each([
  [{ LANGUAGE_MODEL: 'gpt' }, 'LANGUAGE_MODEL must be one of none, anthropic, openai-compatible'],
  [{ LANGUAGE_MODEL: null }, 'LANGUAGE_MODEL_ID is set without LANGUAGE_MODEL'],
  [{ LANGUAGE_MODEL_ID: null }, 'needs LANGUAGE_MODEL_ID'],
  [{ LANGUAGE_MODEL_KEY: null }, 'needs LANGUAGE_MODEL_KEY'],
  [{ LANGUAGE_MODEL: 'openai-compatible' }, 'needs LANGUAGE_MODEL_URL'],
  [{ LANGUAGE_MODEL_URL: 'models.example.com' }, 'LANGUAGE_MODEL_URL must be an address'],
  [{ LANGUAGE_MODEL_URL: 'http://models.example.com/v1' }, 'use https'],
  [{ LANGUAGE_MODEL_URL: 'https://models.example.com/v1?key=abc' }, 'belongs into LANGUAGE_MODEL_KEY'],
  [{ LANGUAGE_MODEL_PRICES: null }, 'needs LANGUAGE_MODEL_PRICES'],
  [{ LANGUAGE_MODEL_PRICES: 'cheap' }, 'such as 3/15, or 0/0 for a model of your own, not "cheap"'],
  [{ LANGUAGE_MODEL_DAILY_DOLLARS: '1.5' }, 'LANGUAGE_MODEL_DAILY_DOLLARS must be a whole number'],
])('%j is refused with the setting and the way out', (change, sentence) => {
  expect(() => read(change)).toThrow(sentence);
});
