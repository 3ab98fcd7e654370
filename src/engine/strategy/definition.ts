// The strategy definition language: data, never code. Closed and typed; every feature reads closed bars only and a lag
// is never negative, so that looking ahead cannot be written. Immutable: a changed definition is another one.
import type { IntradayInterval } from '../market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { OptionOverlay } from './option-overlay.ts';
import type { DeciderRule } from '../decider/decider-rule.ts';
import type { ModelSection } from '../model/model-section.ts';

export const LANGUAGE = 'bellwether-strategy/1';

export type StrategyDefinition = {
  readonly language: typeof LANGUAGE;
  readonly name: string;
  /** Where the idea comes from and what it bets on, the paper named. */
  readonly notes: string;
  readonly universe: readonly Symbol[];
  readonly benchmark: Symbol;
  /** What one bar covers; absent where it is a day. Features, lags and exits count these bars. */
  readonly interval?: IntradayInterval;
  readonly schedule: Schedule;
  readonly direction: 'long' | 'long_short';
  /** Named columns that conditions and rankings refer to. */
  readonly features: { readonly [name: string]: Feature };
  /** A trained model whose score becomes one more column. */
  readonly model?: ModelSection;
  readonly rule: Rule;
  readonly weighting: Weighting;
  /** Sum of the sizes of all weights, at most 1: nothing is borrowed. */
  readonly gross: number;
  readonly exits: Exits;
  /** Where it does not hold, another rule counts, or nothing is held; absent where the rule always counts. */
  readonly regime?: Regime;
  /** Only the most traded of the universe take part; absent where all do. */
  readonly basket?: Basket;
  /** Absent where every changed target is traded. */
  readonly band?: Band;
  /** Options on the shares of one instrument; absent where there are none. */
  readonly options?: OptionOverlay;
  /** Trading days in a year, by which volatility is annualised: 252 for weekday markets, 365 for crypto. */
  readonly periodsPerYear: 252 | 365;
};

/**
 * When rules are looked at, at the close. bar: every bar of an interval shorter than a day. day: every trading day, or
 * its first bar. week, month: the first trading day of each, or its first bar. bars: every `count` bars from the first.
 * A target is traded when it changes where rules are looked at on every bar, else at each occasion.
 */
export type Schedule =
  | { readonly every: 'bar' | 'day' | 'week' | 'month' }
  | { readonly every: 'bars'; readonly count: number };

export const PRICE_NAMES = ['open', 'high', 'low', 'close', 'volume'] as const;
export type PriceName = (typeof PRICE_NAMES)[number];

/**
 * Of the instrument itself, or of `symbol` where given; `lag` bars earlier. With `every`, over whole weeks or months in
 * place of bars, of which only those that are over count; lengths and lag then count them.
 */
export type Feature = Indicator & {
  readonly symbol?: Symbol;
  readonly lag?: number;
  readonly every?: Period;
};

export const PERIODS = ['week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

export type Indicator =
  | { readonly indicator: 'sma' | 'ema' | 'wma' | 'zscore'; readonly length: number; readonly of?: PriceName }
  | { readonly indicator: 'rsi' | 'roc'; readonly length: number; readonly of?: PriceName }
  | { readonly indicator: 'highest' | 'lowest'; readonly length: number; readonly of?: PriceName }
  | { readonly indicator: 'atr' | 'volatility'; readonly length: number }
  /** close / highest close of the last `length` bars - 1: zero at the high, negative below it. */
  | { readonly indicator: 'drawdown'; readonly length: number }
  | { readonly indicator: 'correlation'; readonly length: number; readonly with: Symbol }
  | { readonly indicator: 'adx'; readonly length: number; readonly output: 'adx' | 'plus_di' | 'minus_di' }
  | { readonly indicator: 'donchian'; readonly length: number; readonly output: 'upper' | 'middle' | 'lower' }
  | {
      readonly indicator: 'bollinger';
      readonly length: number;
      readonly deviations: number;
      readonly output: 'upper' | 'middle' | 'lower';
    }
  | {
      readonly indicator: 'macd';
      readonly fast: number;
      readonly slow: number;
      readonly signal: number;
      readonly output: 'line' | 'signal' | 'histogram';
    }
  | {
      readonly indicator: 'stochastic';
      readonly length: number;
      readonly smooth: number;
      readonly signal: number;
      readonly output: 'k' | 'd';
    }
  /** last / first - 1 over the closes dated within [day - skip - months, day - skip], in calendar months. */
  | { readonly indicator: 'month_return'; readonly months: number; readonly skip: number }
  /** Average of close × volume over the last `length` bars: what a bar turns over. */
  | { readonly indicator: 'turnover'; readonly length: number }
  /** difference: left - right. ratio: left / right. spread: left / right - 1. Both of one bar; undefined where right is zero. */
  | {
      readonly indicator: 'combine';
      readonly op: 'difference' | 'ratio' | 'spread';
      readonly left: Operand;
      readonly right: Operand;
    };

/** A number, a price name or a feature's name. */
export type Operand = number | string;

export const COMPARISONS = [
  'above',
  'below',
  'at_least',
  'at_most',
  'crosses_above',
  'crosses_below',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Condition =
  | { readonly op: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly op: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition };

export type Rule = SignalRule | RankingRule | PairsRule | DeciderRule;

/** Per instrument: when to be in and when to get out. An exit is looked at before an entry. */
export type SignalRule = {
  readonly type: 'signals';
  readonly enterLong?: Condition;
  readonly exitLong?: Condition;
  readonly enterShort?: Condition;
  readonly exitShort?: Condition;
};

/** Across instruments: the `top` highest by a feature are held long, the `bottom` lowest short. */
export type RankingRule = {
  readonly type: 'ranking';
  readonly by: string;
  readonly top: number;
  readonly bottom: number;
  /** Only instruments for which this holds take part. */
  readonly where?: Condition;
};

/** Two instruments against each other, by how unusual their spread is. */
export type PairsRule = {
  readonly type: 'pairs';
  readonly pairs: readonly { readonly first: Symbol; readonly second: Symbol }[];
  /** log_ratio: ln(first / second), equal money. hedge_ratio: first - b × second, b by least squares over `length`. */
  readonly spread: 'log_ratio' | 'hedge_ratio';
  readonly length: number;
  /** In standard deviations of the spread: enter beyond `enterAt`, leave within `exitAt`, give up beyond `stopAt`. */
  readonly enterAt: number;
  readonly exitAt: number;
  readonly stopAt?: number;
};

/** A condition over one instrument. Where it does not hold, or is not known yet, the rule stands aside. */
export type Regime = {
  /** Whose bars the condition reads. */
  readonly symbol: Symbol;
  readonly when: Condition;
  /** What counts in place of the rule; while the condition is not known, nothing is held. */
  readonly otherwise: { readonly type: 'cash' } | SignalRule | RankingRule;
};

/** The `most` members with the highest turnover over `length` bars, chosen where the rules are looked at. */
export type Basket = { readonly by: 'turnover'; readonly length: number; readonly most: number };

/** An instrument is traded only where its weight is to move by so many percent of equity, or it is opened or left. */
export type Band = { readonly percent: number };

export type Weighting =
  /** gross / number of instruments: of the whole universe, or of those held. */
  | { readonly type: 'equal'; readonly over: 'universe' | 'held' }
  | { readonly type: 'fixed'; readonly weights: { readonly [symbol: string]: number } }
  /** In proportion to 1 / volatility of the last `length` bars, among those held. */
  | { readonly type: 'inverse_volatility'; readonly length: number }
  /** Each gets its share × annualPercent / its own volatility, all together at most `gross`. */
  | {
      readonly type: 'volatility_target';
      readonly length: number;
      readonly annualPercent: number;
      readonly over: 'universe' | 'held';
    }
  /** In proportion to a feature among those held, by its size on the held side; none gets more than maxPercent. */
  | { readonly type: 'conviction'; readonly by: string; readonly maxPercent?: number };

/** For signal rules, checked at each close against the close at which the entry was decided. */
export type Exits = {
  readonly stopPercent?: number;
  readonly targetPercent?: number;
  readonly maxBars?: number;
};
