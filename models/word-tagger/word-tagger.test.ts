import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as ort from 'onnxruntime-web';
import { expect, test } from 'vitest';
import { LEXICON } from '#rules/strategy-builder/reading/lexicon.ts';
import { tokensOf } from '#rules/strategy-builder/reading/lexer.ts';
import { vocabularyOf } from '#rules/strategy-builder/reading/vocabulary.ts';
import { TAG_CLASSES } from '#rules/strategy-builder/tagger/tag-classes.ts';
import { FEATURE_COUNT, tagFeatures } from '#rules/strategy-builder/tagger/tag-features.ts';
import { wordTagger } from '#rules/strategy-builder/tagger/word-tagger.ts';
import { Random } from '../random.ts';
import { randomSentence } from './sentences.ts';
import { readSynonyms } from './synonyms.ts';

const bytes = readFileSync(path.join(import.meta.dirname, 'word-tagger.onnx'));
const synonyms = readSynonyms();

test('no synonym is in the lexicon, and none stands in two classes', () => {
  const known = new Set(LEXICON.flatMap(([, , phrases]) => phrases.split(', ')));
  const words = [...synonyms.learned.values(), ...synonyms.heldOut.values()].flat();
  expect(words.filter((word) => known.has(word))).toEqual([]);
  expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([]);
});

test('the few lines that run it give what the runtime for ONNX gives', async () => {
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'] });
  const tagger = wordTagger(bytes);
  const random = new Random(7);
  const vocabulary = vocabularyOf([]);
  for (let i = 0; i < 20; i++) {
    const pieces = randomSentence(random, (is) => synonyms.learned.get(is)![0]!);
    const tokens = tokensOf(pieces.map(({ text }) => text).join(' '), 0, vocabulary);
    const features = tagFeatures(tokens, 0, 1);
    const row = new Float32Array(FEATURE_COUNT);
    for (const feature of features) row[feature] = 1;
    const { score } = await session.run({ features: new ort.Tensor('float32', row, [1, FEATURE_COUNT]) });
    const expected = score!.data as Float32Array;
    for (const { is, probability } of tagger(features))
      expect(probability).toBeCloseTo(expected[TAG_CLASSES.findIndex(([one]) => one === is)]!, 5);
  }
});

test('it is smaller than 5 MB, and its card names this file', async () => {
  expect(bytes.length).toBeLessThan(5_000_000);
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  expect(readFileSync(path.join(import.meta.dirname, 'card.md'), 'utf8')).toContain(hash);
});
