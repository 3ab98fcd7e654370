// What the tagger sees of words that the lexicon does not have: their letters, and what the grammar knows around them. The
// trainer and the reader both read it here.
import type { Category } from '../reading/lexicon.ts';
import type { Token } from '../reading/token.ts';

const GRAMS = 768;
const WORDS = 512;
const PLACES = 6;
const CATEGORIES: readonly Category[] = [
  'number',
  'unit',
  'average',
  'indicator',
  'band',
  'compare',
  'cross',
  'action',
  'when',
  'unless',
  'otherwise',
  'and',
  'or',
  'comma',
  'end',
  'not',
  'only',
  'instrument',
  'kind',
  'vague',
  'unsupported',
  'style',
  'risk',
  'schedule',
  'size',
  'rank',
  'rise',
  'fall',
  'measure',
  'extreme',
  'stop',
  'target',
  'option',
  'pair',
  'period',
  'wish',
  'side',
  'sign',
  'deviation',
  'stretched',
  'price',
  'drift',
  'liquid',
  'reference',
  'change',
  'mark',
  'unknown',
];

export const FEATURE_COUNT = GRAMS + WORDS + PLACES * CATEGORIES.length;

/** The inputs that are 1, ascending and each once; all others are 0. `from` up to `to` are places in `tokens`. */
export function tagFeatures(tokens: readonly Token[], from: number, to: number): readonly number[] {
  const on = new Set<number>();
  for (const { text } of tokens.slice(from, to)) {
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      on.add(GRAMS + (hashOf(word) % WORDS));
      for (const gram of gramsOf(word)) on.add(hashOf(gram) % GRAMS);
    }
  }
  const [left, right] = [around(tokens, from - 1, -1), around(tokens, to, 1)];
  for (const [place, category] of [...left, ...right].entries()) {
    const known = CATEGORIES.indexOf(category);
    if (known >= 0) on.add(GRAMS + WORDS + place * CATEGORIES.length + known);
  }
  return [...on].toSorted((a, b) => a - b);
}

/** The nearest three that carry a rule; beyond the text are ends. */
function around(tokens: readonly Token[], from: number, step: 1 | -1): readonly Category[] {
  const found: Category[] = [];
  for (let at = from; found.length < PLACES / 2; at += step) {
    const token = tokens[at];
    if (token === undefined) found.push('end');
    else if (token.category !== 'glue') found.push(token.category);
  }
  return found;
}

function gramsOf(word: string): readonly string[] {
  const framed = `<${word}>`;
  const grams: string[] = [];
  for (const length of [3, 4])
    for (let at = 0; at + length <= framed.length; at++) grams.push(framed.slice(at, at + length));
  return grams;
}

/** FNV-1a over UTF-16 units (G. Fowler, L. Noll, K. Vo). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
