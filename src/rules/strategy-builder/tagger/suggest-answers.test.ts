import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { MARKET } from '#tests/descriptions/example-market.ts';
import { readStrategy } from '../reading/read-strategy.ts';
import { withSuggestions } from './suggest-answers.ts';
import { TAG_CLASSES } from './tag-classes.ts';
import { type WordTagger, wordTagger } from './word-tagger.ts';

const FILE = path.resolve(import.meta.dirname, '../../../../models/word-tagger/word-tagger.onnx');
const tagger = wordTagger(readFileSync(FILE));
const read = (text: string, use: WordTagger = tagger) => {
  const conversation = { messages: [text], answers: [] };
  return withSuggestions(readStrategy(conversation, MARKET), {
    conversation,
    instruments: MARKET,
    tagger: use,
  });
};
/** One that is certain of one class. */
const certain =
  (wanted: string): WordTagger =>
  () =>
    TAG_CLASSES.map(([is, says]) => ({ is, says, probability: is === wanted ? 1 : 0 })).toSorted(
      (a, b) => b.probability - a.probability,
    );
const DESCRIPTION = 'Scoop up AAPL while it is above its 50-day average';

describe('what unknown words may mean', () => {
  test('is offered, and read as if it had been said once it is pressed', () => {
    const [question] = read(DESCRIPTION).questions;
    const [choice] = question!.choices;
    expect(choice).toEqual({ label: '“Scoop up” means “buy”', says: 'buy', about: 'Scoop up' });
    const pressed = readStrategy(
      { messages: [DESCRIPTION], answers: [{ about: 'Scoop up', says: 'buy' }] },
      MARKET,
    );
    const plain = readStrategy({ messages: [DESCRIPTION.replace('Scoop up', 'Buy')], answers: [] }, MARKET);
    expect(pressed.definition).toEqual(plain.definition);
    expect(pressed.outcome).toBe('ready');
  });

  test('decides nothing: the reading is the same but for its choices', () => {
    const conversation = { messages: [DESCRIPTION], answers: [] };
    const plain = readStrategy(conversation, MARKET);
    const { questions, ...rest } = read(DESCRIPTION);
    expect(rest).toEqual({ ...plain, questions: undefined, ...rest });
    expect(rest.outcome).toBe('asks');
    expect(rest.definition).toEqual(plain.definition);
    expect(questions.map(({ spans }) => spans)).toEqual(plain.questions.map(({ spans }) => spans));
  });

  test('is not offered where the grammar would still ask about these words, or refuse', () => {
    for (const wanted of ['average', 'none', 'days'])
      expect(read(DESCRIPTION, certain(wanted)).questions[0]!.choices).toEqual([
        { label: 'Leave it out', says: '' },
      ]);
  });

  test('is offered for each of several places, whatever the others still need', () => {
    const [question] = read('Scoop up ZZZZ while it is above its 50-day average').questions;
    expect(question!.choices.map(({ says }) => says)).toEqual(['buy', '']);
  });

  test('is never offered for words that are known, nor for symbols', () => {
    for (const text of [
      'Hold AAPL with a trailing stop of 10%',
      'Hold ZZZZ while it is above its 50-day average',
    ])
      for (const { choices } of read(text, certain('buy')).questions)
        expect(choices.filter(({ about }) => about !== undefined)).toEqual([]);
  });
});

test('a file of another shape is refused by a sentence', () => {
  expect(() => wordTagger(new Uint8Array())).toThrow('the word tagger is of another shape');
  expect(() => wordTagger(readFileSync(FILE).subarray(0, 100_000))).toThrow('ends early');
});
