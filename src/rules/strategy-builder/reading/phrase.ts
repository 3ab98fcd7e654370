// One phrase that fills slots of a strategy, and where it ends.
import type { BuilderRisk, OptionStructure, Style } from '../builder-input.ts';
import type { TermPlace } from './terms.ts';
import type { Token } from './token.ts';

export type Slots = {
  every: 'day' | 'week' | 'month';
  stopPercent: number | 'none';
  targetPercent: number;
  maxBars: number;
  sizing: 'equal' | 'inverse' | 'conviction' | number;
  /** Percent of equity by which a weight is off before it is traded. */
  band: number;
  /** How many of the most traded take part. */
  basket: number;
  /** Of the money, as a fraction. */
  gross: number;
  /** Of the money in one position, in percent. */
  cap: number;
  direction: 'long' | 'long_short' | 'short';
  risk: BuilderRisk;
  aim: number;
  drawdown: number;
  minimum: number;
  style: Style;
  hold: true;
  options: { readonly structure: OptionStructure; readonly strikePercent?: number };
  pair: true;
  enterAt: number;
  exitAt: number;
  stopAt: number;
  spreadLength: number;
  /** Percent of the money for each. */
  each: number;
  momentumBars: number;
  trendBars: number;
};

export type Slot = {
  [Name in keyof Slots]: { readonly slot: Name; readonly value: Slots[Name] };
}[keyof Slots];

export type Phrase = { readonly fills: readonly Slot[]; readonly next: number };

export type PhraseReader = (tokens: readonly Token[], at: number, place: PhrasePlace) => Phrase | null;

export type PhrasePlace = TermPlace & {
  readonly sells: boolean;
  readonly isPair: boolean;
  readonly isOptions: boolean;
};

export const fill = (next: number, ...fills: readonly Slot[]): Phrase => ({ fills, next });

type Percent = Token & { readonly form: 'percent' };

export const isPercent = (token: Token | undefined): token is Percent => token?.form === 'percent';
export const isSmallShare = (token: Token | undefined): token is Token =>
  token !== undefined && (token.form === 'percent' || (token.form === 'fraction' && token.number! < 50));

/** Passes words that only lead to the number. */
export function numberFrom(tokens: readonly Token[], at: number): number {
  let next = at;
  while (
    ['period', 'compare', 'when', 'fall', 'rise', 'price'].includes(tokens[next]?.category ?? '') &&
    next < at + 3
  )
    next++;
  return next;
}
