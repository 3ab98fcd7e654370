// What a conversation has said so far, by slot, each with the words that said it. Within one message two values
// contradict; a later message corrects.
import type { Role } from './comparisons.ts';
import type { Slot, Slots } from './phrase.ts';
import type { Test } from './terms.ts';
import type { Span, Token } from './token.ts';
import type { Choice } from './vague-words.ts';

export type Question = {
  /** words: about these words. The others are about what is missing. */
  readonly topic: 'words' | 'what' | 'how' | 'sell' | 'count' | 'measure' | 'kind' | 'parser';
  readonly spans: readonly Span[];
  readonly sentence: string;
  readonly choices: readonly Choice[];
  /** Words that nothing is known of. */
  readonly isUnread?: boolean;
};

export type Refusal = { readonly sentence: string; readonly spans: readonly Span[] };

/** Filled in because nothing was said. */
export type Assumed = { readonly part: string; readonly text: string };

/** Words that made a part; the part is a place in the definition. */
export type Link = { readonly span: Span; readonly part: string };

type Mention = { readonly span: Span; readonly isNot: boolean; readonly message: number };
export type InstrumentMention = Mention & { readonly symbols: readonly string[]; readonly token: Token };
export type KindMention = Mention & { readonly kind: string };

export type SaidTests = {
  readonly role: Role;
  readonly tests: readonly Test[];
  readonly any: boolean;
  readonly join: 'and' | 'or';
  /** when: it starts there. while: it also ends when that ends. */
  readonly connector: 'when' | 'while';
  readonly message: number;
};

export type Ranking = {
  count?: { readonly value: number; readonly span: Span };
  lookback?: { readonly value: number; readonly span: Span };
  skips?: number;
  words: Span[];
};

export class Said {
  readonly instruments: InstrumentMention[] = [];
  readonly kinds: KindMention[] = [];
  tests: SaidTests[] = [];
  readonly weights: {
    readonly symbols: readonly string[];
    readonly percent: number;
    readonly spans: readonly Span[];
  }[] = [];
  ratio: { readonly parts: readonly number[]; readonly span: Span } | null = null;
  rank: Ranking | null = null;
  readonly questions: Question[] = [];
  readonly refusals: Refusal[] = [];
  readonly unread: Span[] = [];
  readonly links: Link[] = [];
  readonly #slots = new Map<keyof Slots, { readonly value: unknown; readonly span: Span }>();

  get<Name extends keyof Slots>(slot: Name): Slots[Name] | undefined {
    return this.#slots.get(slot)?.value as Slots[Name] | undefined;
  }

  spanOf(slot: keyof Slots): Span | undefined {
    return this.#slots.get(slot)?.span;
  }

  slots(): readonly {
    readonly slot: keyof Slots;
    readonly value: Slots[keyof Slots];
    readonly span: Span;
  }[] {
    return [...this.#slots].map(([slot, { value, span }]) => ({
      slot,
      value: value as Slots[keyof Slots],
      span,
    }));
  }

  drop(slot: keyof Slots): void {
    this.#slots.delete(slot);
  }

  note({ slot, value }: Slot, span: Span): void {
    const before = this.#slots.get(slot);
    if (slot === 'pair' && before !== undefined) return this.link(span, PARTS[slot]);
    if (slot === 'options' && before?.span.message === span.message) {
      const options = { ...(before.value as Slots['options']) };
      const strikePercent = value.strikePercent ?? options.strikePercent;
      const isOwn = value.strikePercent !== undefined;
      const structure = isOwn ? options.structure : value.structure;
      this.#slots.set(slot, {
        value: { structure, ...(strikePercent === undefined ? {} : { strikePercent }) },
        span,
      });
      this.link(span, PARTS[slot]);
      return;
    }
    const clashes = before !== undefined && before.span.message === span.message && before.value !== value;
    if (clashes)
      this.refuse(`These two contradict each other: ${CLASHES[slot] ?? 'only one of them can hold'}.`, [
        before.span,
        span,
      ]);
    this.#slots.set(slot, { value, span });
    this.link(span, PARTS[slot]);
  }

  link(span: Span, part: string): void {
    this.links.push({ span, part });
  }

  ask(question: Question): void {
    this.questions.push(question);
  }

  refuse(sentence: string, spans: readonly Span[]): void {
    this.refusals.push({ sentence, spans });
  }
}

const PARTS: Readonly<Record<keyof Slots, string>> = {
  every: 'schedule',
  stopPercent: 'exits.stopPercent',
  targetPercent: 'exits.targetPercent',
  maxBars: 'exits.maxBars',
  sizing: 'weighting',
  gross: 'gross',
  cap: 'gross',
  direction: 'direction',
  risk: 'weighting',
  aim: 'wish.aim',
  drawdown: 'weighting',
  minimum: 'wish.minimum',
  style: 'rule',
  hold: 'rule',
  options: 'options',
  pair: 'rule',
  enterAt: 'rule',
  exitAt: 'rule',
  stopAt: 'rule',
  spreadLength: 'rule',
  momentumBars: 'rule',
  each: 'weighting',
  trendBars: 'rule',
  band: 'band',
  basket: 'basket',
};

const CLASHES: Partial<Record<keyof Slots, string>> = {
  every: 'rules are looked at daily, weekly or monthly',
  stopPercent: 'a position has one stop loss',
  targetPercent: 'a position has one profit target',
  sizing: 'positions are sized in one way',
  direction: 'it sells short or it does not',
  risk: 'a strategy has one level of risk',
  style: 'a strategy follows one style',
  options: 'a strategy writes one kind of option',
};
