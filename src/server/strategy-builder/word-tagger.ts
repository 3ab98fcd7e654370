// The word tagger that comes with the product, read from its file at the first question about words.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type WordTagger, wordTagger } from '#rules/strategy-builder/tagger/word-tagger.ts';

const FILE = path.resolve(import.meta.dirname, '../../../models/word-tagger/word-tagger.onnx');
let opened: WordTagger | null = null;

export function openWordTagger(): WordTagger {
  opened ??= wordTagger(readFileSync(FILE));
  return opened;
}
