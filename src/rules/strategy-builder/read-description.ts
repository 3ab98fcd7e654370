// Reads a description of a strategy by a list of known words. Promises to say what each recognised part was taken to
// mean and which parts meant nothing; a description without a market and without a style is not understood.
import {
  type AssetClass,
  type BuilderInput,
  type BuilderRisk,
  type BuilderPreferences,
  USUAL_INPUT,
} from './builder-input.ts';
import { findNumbers } from './description-numbers.ts';
import { UNSUPPORTED, type WordMeaning, WORDS } from './vocabulary.ts';

export type NamedInstrument = {
  readonly symbol: string;
  readonly name: string;
  readonly kind: AssetClass;
};

type Understood = { readonly text: string; readonly meaning: string };
type NotUnderstood = { readonly text: string; readonly why: string | null };

export type DescriptionRead = {
  /** Null when it says neither what to trade nor how. */
  readonly input: BuilderInput | null;
  readonly understood: readonly Understood[];
  /** Taken because nothing was said. */
  readonly assumed: readonly string[];
  readonly notUnderstood: readonly NotUnderstood[];
};

type Part = { readonly from: number; readonly to: number };

export function readDescription(text: string, instruments: readonly NamedInstrument[]): DescriptionRead {
  const reading = new Reading(text);
  reading.readUnsupported();
  reading.readNumbers();
  reading.readInstruments(instruments);
  reading.readWords();
  return reading.result();
}

class Reading {
  readonly #text: string;
  readonly #parts: Part[] = [];
  readonly #understood: (Part & Understood)[] = [];
  readonly #notUnderstood: (Part & NotUnderstood)[] = [];
  readonly #preferences: { -readonly [Name in keyof BuilderPreferences]: BuilderPreferences[Name] } = {};
  #assetClass: AssetClass | undefined;
  #riskLevel: BuilderRisk | undefined;
  readonly #numbers: { maxDrawdown?: number; targetReturn?: number; minimumInvestment?: number } = {};

  constructor(text: string) {
    this.#text = text;
  }

  readUnsupported(): void {
    for (const { pattern, why } of UNSUPPORTED) {
      for (const match of this.#text.matchAll(pattern)) this.#refuse(partOf(match), why);
    }
  }

  readNumbers(): void {
    for (const found of findNumbers(this.#text)) {
      if (!this.#take(found, found.meaning)) continue;
      const { kind, value } = found;
      if (kind === 'months') this.#preferences.length ??= value * TRADING_DAYS_A_MONTH;
      else if (kind === 'length') this.#preferences.length ??= value;
      else if (kind === 'top' || kind === 'stopPercent') this.#preferences[kind] ??= value;
      else this.#numbers[kind] ??= kind === 'minimumInvestment' ? Math.trunc(value) : value;
    }
  }

  readInstruments(instruments: readonly NamedInstrument[]): void {
    for (const instrument of instruments) {
      const { symbol, name, kind } = instrument;
      for (const match of namePatterns(instrument).flatMap((one) => [...this.#text.matchAll(one)])) {
        const part = partOf(match);
        if (this.#isTaken(part)) continue;
        if (this.#assetClass !== undefined && this.#assetClass !== kind) {
          this.#refuse(part, `A strategy trades one kind of market; ${name} belongs to another.`);
          continue;
        }
        this.#assetClass = kind;
        this.#preferences.instruments = [...new Set([...(this.#preferences.instruments ?? []), symbol])];
        this.#take(part, `Trades ${name} (${symbol})`);
      }
    }
  }

  /** In the order of the text, but options first: they are written on the shares named with them. */
  readWords(): void {
    const found = WORDS.flatMap((word) =>
      [...this.#text.matchAll(word.pattern)].map((match) => ({ word, part: partOf(match) })),
    );
    const isOptions = (word: WordMeaning) => Number(word.assetClass === 'options');
    found.sort((a, b) => isOptions(b.word) - isOptions(a.word) || a.part.from - b.part.from);
    for (const { word, part } of found) this.#readWord(word, part);
  }

  #readWord(word: WordMeaning, part: Part): void {
    if (this.#isTaken(part)) return;
    const clash = this.#clash(word.assetClass, word.preferences?.style);
    if (clash !== null) return this.#refuse(part, clash);
    this.#take(part, word.meaning);
    this.#assetClass ??= word.assetClass;
    this.#riskLevel ??= word.riskLevel;
    for (const [name, value] of Object.entries(word.preferences ?? {}))
      Object.assign(this.#preferences, {
        [name]: this.#preferences[name as keyof BuilderPreferences] ?? value,
      });
  }

  result(): DescriptionRead {
    const notUnderstood = [...this.#notUnderstood, ...this.#leftOver()].sort((a, b) => a.from - b.from);
    const understood = this.#understood.toSorted((a, b) => a.from - b.from);
    const says = this.#assetClass !== undefined || this.#preferences.style !== undefined;
    const assumed: string[] = [];
    if (says && this.#assetClass === undefined) assumed.push('Market: shares and funds');
    if (says && this.#riskLevel === undefined) assumed.push('Risk: medium');
    return {
      input: says ? this.#input() : null,
      understood: understood.map(({ text, meaning }) => ({ text, meaning })),
      assumed,
      notUnderstood: notUnderstood.map(({ text, why }) => ({ text, why })),
    };
  }

  #input(): BuilderInput {
    return {
      ...USUAL_INPUT,
      ...this.#numbers,
      assetClass: this.#assetClass ?? USUAL_INPUT.assetClass,
      riskLevel: this.#riskLevel ?? USUAL_INPUT.riskLevel,
      preferences: this.#preferences,
    };
  }

  /** Options on shares are options; else the first market and the first style that are named are taken. */
  #clash(assetClass: AssetClass | undefined, style: BuilderPreferences['style']): string | null {
    const isUnderlying = this.#assetClass === 'options' && assetClass === 'equity';
    if (assetClass && this.#assetClass && assetClass !== this.#assetClass && !isUnderlying)
      return 'A strategy trades one kind of market.';
    if (style && this.#preferences.style && style !== this.#preferences.style)
      return 'A strategy follows one style.';
    return null;
  }

  #isTaken({ from, to }: Part): boolean {
    return this.#parts.some((part) => from < part.to && to > part.from);
  }

  #take(part: Part, meaning: string): boolean {
    if (this.#isTaken(part)) return false;
    this.#parts.push(part);
    this.#understood.push({ ...part, text: this.#text.slice(part.from, part.to).trim(), meaning });
    return true;
  }

  #refuse(part: Part, why: string): void {
    if (this.#isTaken(part)) return;
    this.#parts.push(part);
    this.#notUnderstood.push({ ...part, text: this.#text.slice(part.from, part.to), why });
  }

  /** Clauses in which no word was recognised, but for those that only connect. */
  #leftOver(): (Part & NotUnderstood)[] {
    return clausesOf(this.#text).flatMap((clause) => {
      const text = this.#text.slice(clause.from, clause.to).trim();
      const meant = text.split(/[^\p{L}\p{N}$%]+/u).filter((word) => !PLAIN_WORDS.has(word.toLowerCase()));
      return meant.length === 0 || this.#isTaken(clause) ? [] : [{ ...clause, text, why: null }];
    });
  }
}

const TRADING_DAYS_A_MONTH = 21;

/** Full stops, commas and words that join. A dot within a number ends nothing. */
const BETWEEN_CLAUSES = /\.(?=\s|$)|[,;:!?\n]|\b(?:and|but|then|while|with)\b/gi;

function clausesOf(text: string): Part[] {
  const breaks = [...text.matchAll(BETWEEN_CLAUSES)].map(partOf);
  const starts = [0, ...breaks.map(({ to }) => to)];
  const ends = [...breaks.map(({ from }) => from), text.length];
  return starts.map((from, i) => ({ from, to: ends[i]! }));
}

const PLAIN_WORDS = new Set(
  (
    ' a an the i me my we you it its this that these of on in to for from by at as is are be or so please want like would need should ' +
    'can will strategy strategies trading trade trades trader build create make design using use uses which when where how ' +
    'system approach idea good and with into over only some any kind invest investing investment market markets portfolio'
  ).split(' '),
);

function partOf(match: RegExpExecArray): Part {
  return { from: match.index, to: match.index + match[0].length };
}

/** Its symbol as it is written, and the first word of its name where that says enough. */
function namePatterns({ symbol, name, kind }: NamedInstrument): readonly RegExp[] {
  const isPair = kind === 'forex' || kind === 'crypto';
  const spellings = [symbol, ...(isPair ? [`${symbol.slice(0, 3)}/${symbol.slice(3)}`] : [])];
  if (kind === 'crypto') spellings.push(symbol.slice(0, 3));
  const patterns = spellings.filter(isLong).map((one) => new RegExp(`\\b${escaped(one)}\\b`, 'g'));
  const [first = ''] = name.split(/[^\p{L}]+/u);
  if (first.length >= 4 && !COMMON_FIRST_WORDS.has(first.toLowerCase()))
    patterns.push(new RegExp(`\\b${first}\\b`, 'gi'));
  return patterns;
}

/** A single letter is a word of every sentence. */
function isLong(spelling: string): boolean {
  return spelling.length > 1;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** First words of names that are words of every day, or shared by many. */
const COMMON_FIRST_WORDS = new Set(
  'sandbox micro euro british pound australian swiss market target best general american united first bank international index trend'.split(
    ' ',
  ),
);
