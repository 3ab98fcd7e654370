// Descriptions with words that the lexicon lacks: what becomes of them where the meaning that is offered first is always pressed.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer } from '#rules/strategy-builder/reading/conversation.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import { withSuggestions } from '#rules/strategy-builder/tagger/suggest-answers.ts';
import { wordTagger } from '#rules/strategy-builder/tagger/word-tagger.ts';
import { parseDescriptions, type Verdict } from './descriptions.ts';
import { MARKET } from './example-market.ts';

const MOST_PRESSES = 8;

export function pressedDescriptions(): readonly { readonly text: string; readonly verdict: Verdict }[] {
  const list = readFileSync(path.join(import.meta.dirname, 'unknown-words.txt'), 'utf8');
  const tagger = wordTagger(
    readFileSync(path.resolve(import.meta.dirname, '../../models/word-tagger/word-tagger.onnx')),
  );
  return parseDescriptions(list).map(({ text, sign, meant }) => {
    const answers: Answer[] = [];
    for (let presses = 0; presses < MOST_PRESSES; presses++) {
      const conversation = { messages: [text], answers };
      const read = withSuggestions(readStrategy(conversation, MARKET), {
        conversation,
        instruments: MARKET,
        tagger,
      });
      const offered = read.questions
        .flatMap(({ choices }) => choices)
        .find(({ about }) => about !== undefined);
      if (offered?.about === undefined) break;
      answers.push({ about: offered.about, says: offered.says });
    }
    const read = readStrategy({ messages: [text], answers }, MARKET);
    if (read.outcome !== 'ready') return { text, verdict: sign === '?' ? 'meant' : 'asked' };
    const plain = sign === '=' ? readStrategy({ messages: [meant], answers: [] }, MARKET).definition : null;
    const isMeant = JSON.stringify(nameless(read.definition)) === JSON.stringify(nameless(plain));
    return { text, verdict: isMeant ? 'meant' : 'wrong' };
  });
}

/** A name repeats the words. */
function nameless(definition: object | null): object | null {
  return definition && { ...definition, name: '' };
}
