// `npm run train-tagger`: trains the word tagger of the builder and writes its ONNX file and its card. The same words give
// the same bytes; `npm run train-tagger -- --check` writes nothing and fails where the file would differ.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { vocabularyOf } from '#rules/strategy-builder/reading/vocabulary.ts';
import { wordTagger } from '#rules/strategy-builder/tagger/word-tagger.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { onnxFile } from '../onnx/onnx-file.ts';
import { taggerCard } from './card.ts';
import { readSynonyms } from './synonyms.ts';
import { taggerGraph, trainTagger } from './train-tagger.ts';

const FILE = path.join(import.meta.dirname, 'word-tagger.onnx');
const synonyms = readSynonyms();
const vocabulary = vocabularyOf(
  simulatedMarket(DEFAULT_SEED).instruments.map(({ symbol, name, kind }) => ({ symbol, name, kind })),
);
const bytes = onnxFile(taggerGraph(trainTagger(vocabulary, synonyms)));
if (process.argv.includes('--check')) {
  const isSame = Buffer.from(bytes).equals(readFileSync(FILE));
  console.log(`${isSame ? 'same   ' : 'DIFFERS'}  word-tagger.onnx`);
  process.exit(isSame ? 0 : 1);
}
writeFileSync(FILE, bytes);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const card = taggerCard({ tagger: wordTagger(bytes), vocabulary, synonyms, sha256, size: bytes.length });
writeFileSync(path.join(import.meta.dirname, 'card.md'), card);
console.log(card);
