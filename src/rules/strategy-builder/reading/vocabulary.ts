// Every phrase that the lexer looks for, by its stem: words of the field, plain names of instruments, vague words, and
// what is not available.
import { type Category, GLUE, LEXICON } from './lexicon.ts';
import { marketNames, type NamedInstrument } from './market-names.ts';
import { type Choice, UNSUPPORTED, VAGUE } from './vague-words.ts';

export type Entry = {
  readonly category: Category;
  readonly value: string;
  readonly symbols?: readonly string[];
  readonly asks?: string;
  readonly choices?: readonly Choice[];
};

export type Vocabulary = {
  readonly phrases: ReadonlyMap<string, Entry>;
  readonly names: ReadonlyMap<string, Entry>;
  /** Stems of the words in phrases, and of names of one word, for spelling. */
  readonly words: ReadonlySet<string>;
  readonly nameWords: ReadonlySet<string>;
  /** Single words as they are listed. */
  readonly literal: ReadonlySet<string>;
};

const KINDS: readonly (readonly [string, string])[] = [
  [
    'shares',
    'share, stock, us share, us stock, us equity, american stock, american share, equity, equities, single stock, listed share, u s stock, u s share, us company, american company, company',
  ],
  ['funds', 'fund, etf, index fund, exchange traded fund, tracker'],
  ['forex', 'forex, fx, currency, currency pair, fx pair, forex pair, foreign exchange, currency market'],
  [
    'crypto',
    'crypto, cryptocurrency, coin, digital asset, crypto coin, crypto market, cryptos, digital coin, crypto currency',
  ],
  ['futures', 'future, futures contract, future contract, futures market, commodity future, commodity'],
  ['options', 'option, option contract'],
];

export function vocabularyOf(instruments: readonly NamedInstrument[]): Vocabulary {
  const known = VOCABULARIES.get(instruments) ?? newVocabulary(instruments);
  VOCABULARIES.set(instruments, known);
  return known;
}

/** A page reads the same instruments at every letter that is typed. */
const VOCABULARIES = new WeakMap<readonly NamedInstrument[], Vocabulary>();

function newVocabulary(instruments: readonly NamedInstrument[]): Vocabulary {
  const phrases = new Map<string, Entry>();
  const literal = new Set<string>();
  const add = (words: string, entry: Entry) => {
    for (const phrase of words.split(', ')) {
      const key = stemmed(phrase);
      if (!phrase.includes(' ')) literal.add(phrase);
      if (key !== '' && !phrases.has(key)) phrases.set(key, entry);
    }
  };
  for (const [category, value, words] of LEXICON) add(words, { category, value });
  for (const [value, words] of KINDS) add(words, { category: 'kind', value });
  for (const { words, why } of UNSUPPORTED) add(words, { category: 'unsupported', value: '', asks: why });
  for (const { words, asks, choices } of VAGUE) add(words, { category: 'vague', value: '', asks, choices });
  const names = new Map<string, Entry>();
  for (const { phrase, symbols } of marketNames(instruments))
    names.set(stemmed(phrase), { category: 'instrument', value: phrase, symbols });
  const words = new Set([...phrases.keys()].flatMap((key) => key.split(' ')));
  const nameWords = new Set([...names.keys()].filter((key) => !key.includes(' ')));
  return { phrases, names, words, nameWords, literal };
}

/** Each word without its ending; hyphens and slashes part words. */
export function stemmed(phrase: string): string {
  return phrase
    .toLowerCase()
    .split(/[\s/-]+/)
    .filter((word) => word !== '')
    .map(stem)
    .join(' ');
}

export function stem(word: string): string {
  let base = word.replaceAll('’', "'").replace(/'s?$/, '');
  if (base.length > 4 && base.endsWith('ies')) base = `${base.slice(0, -3)}y`;
  else if (base.length > 3 && /(?:ss|x|ch|sh)es$/.test(base)) base = base.slice(0, -2);
  else if (base.length > 3 && base.endsWith('s') && !/(?:ss|us|is)$/.test(base)) base = base.slice(0, -1);
  if (base.length > 5 && base.endsWith('ing') && /[aeiouy].*ing$/.test(base)) base = base.slice(0, -3);
  else if (base.length > 4 && base.endsWith('ed') && !base.endsWith('eed')) base = base.slice(0, -2);
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  if (base.length > 3 && base.at(-1) === base.at(-2)) base = base.slice(0, -1);
  return base;
}

export function isGlue(word: string): boolean {
  return GLUE.has(word.replaceAll('’', "'"));
}

/** The only word within one slip of the pen, or two in a long word; null where there is none, or are several. */
export function spelledNear(word: string, words: ReadonlySet<string>, least: number): string | null {
  if (word.length < least) return null;
  const most = word.length >= 8 ? 2 : 1;
  for (let slips = 1; slips <= most; slips++) {
    const near = [...words].filter(
      (one) =>
        one.length >= 4 &&
        one[0] === word[0] &&
        Math.abs(one.length - word.length) <= slips &&
        distance(one, word) <= slips,
    );
    const longer = near.filter((one) => one.length > word.length);
    if (near.length === 1 || longer.length === 1) return near.length === 1 ? near[0]! : longer[0]!;
    if (near.length > 0) return null;
  }
  return null;
}

/** Letters left out, put in, changed, or two neighbours the wrong way round. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => {
    const row = Array.from<number>({ length: b.length + 1 }).fill(0);
    row[0] = i;
    return row;
  });
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = least;
    }
  }
  return rows[a.length]![b.length]!;
}
