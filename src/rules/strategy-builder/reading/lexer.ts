// Text to tokens: numbers in figures and in words, phrases of the vocabulary, the rest as unknown words. Nothing is lost:
// every word is in a token.
import type { Token } from './token.ts';
import { type Entry, isGlue, spelledNear, stem, type Vocabulary } from './vocabulary.ts';

type Raw = {
  readonly text: string;
  readonly word: string;
  /** Of the word, or of what a misspelt one was read as. */
  readonly stem: string;
  readonly from: number;
  readonly to: number;
};

export function tokensOf(text: string, message: number, vocabulary: Vocabulary): readonly Token[] {
  const raws = rawsOf(text, vocabulary);
  const tokens: Token[] = [];
  let at = 0;
  while (at < raws.length) {
    const { token, count } = nextToken(raws, at, vocabulary);
    const last = raws[at + count - 1]!;
    const from = raws[at]!.from;
    const bracketed = /\(\s*$/.test(text.slice(0, from)) ? { bracketed: true } : {};
    tokens.push({ ...token, ...bracketed, message, from, to: last.to, text: text.slice(from, last.to) });
    at += count;
  }
  return tokens;
}

type Found = { readonly token: Omit<Token, 'message' | 'from' | 'to' | 'text'>; readonly count: number };

function nextToken(raws: readonly Raw[], at: number, vocabulary: Vocabulary): Found {
  const raw = raws[at]!;
  const number = numberAt(raws, at);
  const phrase = phraseAt(raws, at, vocabulary);
  if (phrase !== null && (number === null || phrase.count > number.count)) return phrase;
  if (number !== null) return number;
  if (PUNCTUATION[raw.text] !== undefined)
    return { token: { category: PUNCTUATION[raw.text]!, value: '' }, count: 1 };
  if (raw.text === '/') {
    const parts = /\d$/.test(raws[at - 1]?.text ?? '') && /^\d/.test(raws[at + 1]?.text ?? '');
    return { token: { category: parts ? 'mark' : 'glue', value: '/' }, count: 1 };
  }
  if (isGlue(raw.word) || /^(?:[-–—()[\]"“”'’=+*→]|[=-]>)$/.test(raw.text))
    return { token: { category: 'glue', value: raw.word }, count: 1 };
  return { token: { category: 'unknown', value: raw.word }, count: 1 };
}

/** The longest phrase from here; a symbol that is a word of every day too counts in capitals only. */
function phraseAt(raws: readonly Raw[], at: number, { phrases, names, literal }: Vocabulary): Found | null {
  const exact = EXACT[raws[at]!.word];
  const stems: string[] = [];
  let found: Found | null = null;
  for (let i = at; i < raws.length && stems.length < LONGEST; i++) {
    const raw = raws[i]!;
    if (raw.text === '-' || raw.text === '/') {
      if (stems.length === 0) return null;
      continue;
    }
    if (/^[,.;:!?\n()]$/.test(raw.text)) break;
    stems.push(raw.stem);
    const key = stems.join(' ');
    const word = phrases.get(key);
    const name = names.get(key);
    const isSymbol = raw.text.length > 1 && raw.text === raw.text.toUpperCase();
    const isWord = stems.length === 1 && (isGlue(raw.word) || word !== undefined);
    const entry = name !== undefined && (!isWord || isSymbol) ? name : word;
    const isPassed = stems.length === 1 && isGlue(raw.word) && !literal.has(raw.word) && entry === word;
    if (entry !== undefined && !isPassed) found = { token: { ...entry }, count: i - at + 1 };
  }
  if (exact !== undefined && (found === null || found.count === 1)) return { token: exact, count: 1 };
  if (found !== null && found.count === 1 && isUnitLetter(raws[at]!.word) && !isBesideNumber(raws, at))
    return null;
  return found;
}

function isUnitLetter(word: string): boolean {
  return /^[dwmy]$/.test(word);
}

function isBesideNumber(raws: readonly Raw[], at: number): boolean {
  const before = raws[at - 1];
  return before !== undefined && /\d$/.test(before.text);
}

function numberAt(raws: readonly Raw[], at: number): Found | null {
  const raw = raws[at]!;
  if (raw.text === '$' && /^\d/.test(raws[at + 1]?.text ?? '')) {
    const inner = numberAt(raws, at + 1);
    return inner && { token: { ...inner.token, form: 'money' }, count: inner.count + 1 };
  }
  if (
    raw.text === '-' &&
    /^\d/.test(raws[at + 1]?.text ?? '') &&
    raws[at + 1]!.from === raw.to &&
    raws[at - 1]?.to !== raw.from
  ) {
    const inner = numberAt(raws, at + 1);
    return inner && { token: { ...inner.token, number: -inner.token.number! }, count: inner.count + 1 };
  }
  if (/^\d/.test(raw.text)) {
    const next = raws[at + 1];
    const isThousands = next?.word === 'k' && next.from === raw.to;
    const value = Number(raw.text.replaceAll(',', '')) * (isThousands ? 1_000 : 1);
    return formed(raws, { at, count: isThousands ? 2 : 1, value });
  }
  if (FRACTIONS[raw.word] !== undefined)
    return {
      token: { category: 'number', value: raw.word, number: FRACTIONS[raw.word]!, form: 'fraction' },
      count: 1,
    };
  const spoken = spokenAt(raws, at);
  return spoken && formed(raws, { at, ...spoken });
}

function formed(
  raws: readonly Raw[],
  { at, count, value }: { readonly at: number; readonly count: number; readonly value: number },
): Found {
  const next = raws[at + count];
  const token = { category: 'number', value: String(value), number: value } as const;
  if (next === undefined) return { token: { ...token, form: 'plain' }, count };
  if (/^(?:%|percent|pct|percentage)$/.test(next.word))
    return { token: { ...token, form: 'percent' }, count: count + 1 };
  if (next.word === 'per' && raws[at + count + 1]?.word === 'cent')
    return { token: { ...token, form: 'percent' }, count: count + 2 };
  if (/^(?:dollars?|usd|bucks)$/.test(next.word))
    return { token: { ...token, form: 'money' }, count: count + 1 };
  return { token: { ...token, form: 'plain' }, count };
}

/** "twenty-five", "two hundred", "ten". */
function spokenAt(
  raws: readonly Raw[],
  at: number,
): { readonly count: number; readonly value: number } | null {
  let value = 0;
  let count = 0;
  let last = Number.POSITIVE_INFINITY;
  for (let i = at; i < raws.length; i++) {
    const { word } = raws[i]!;
    if (word === '-' && count > 0) continue;
    const one = SPOKEN[word];
    if (one === undefined) break;
    if (one === 100 || one === 1_000) value = Math.max(1, value) * one;
    else if (one >= last || (last < 20 && last > 0)) break;
    else value += one;
    last = one;
    count = i - at + 1;
  }
  return count === 0 ? null : { count, value };
}

function rawsOf(text: string, vocabulary: Vocabulary): readonly Raw[] {
  return [...text.matchAll(WORDS)].map((match) => {
    const word = match[0].toLowerCase().replaceAll('’', "'");
    const [from, to] = [match.index, match.index + match[0].length];
    return { text: match[0], word, stem: spelled(word, vocabulary), from, to };
  });
}

/** The stem; of a word that is not known, that of the only known one near it. */
function spelled(word: string, { words, nameWords }: Vocabulary): string {
  const base = stem(word);
  if (!/^\p{L}+$/u.test(word) || isGlue(word) || SPOKEN[word] !== undefined || FRACTIONS[word] !== undefined)
    return base;
  if (words.has(base) || nameWords.has(base)) return base;
  return spelledNear(base, words, 5) ?? spelledNear(base, nameWords, 6) ?? base;
}

const WORDS = /[=-]>|→|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\p{L}[\p{L}’']*|\n|[^\s]/gu;
const LONGEST = 7;

const PUNCTUATION: Readonly<Record<string, 'comma' | 'end' | 'and'>> = {
  ',': 'comma',
  ':': 'comma',
  '.': 'end',
  ';': 'end',
  '!': 'end',
  '?': 'end',
  '\n': 'end',
  '&': 'and',
};

/** Where a common stem would mislead. */
const EXACT: Readonly<Record<string, Entry>> = {
  tops: { category: 'compare', value: 'above' },
  topped: { category: 'compare', value: 'above' },
  puts: { category: 'option', value: 'protective_put' },
  may: { category: 'glue', value: 'may' },
};

const FRACTIONS: Readonly<Record<string, number>> = { half: 50, third: 33.33, fifth: 20, tenth: 10 };

const SPOKEN: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1_000,
};
