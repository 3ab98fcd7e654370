// The shape in which a language model proposes a strategy: a flat form of the language of strategies, which every service can
// enforce. There is no field for prose: nothing that a model writes is shown, but the person's own words that it points at.
import { COMPARISONS, PRICE_NAMES } from '#engine/strategy/definition.ts';
import { OPTION_STRUCTURES } from '#engine/strategy/option-overlay.ts';

export type Comparing = { readonly left: string; readonly op: string; readonly right: string };
/** One of the groups has to hold; of a group, all. */
export type Groups = readonly { readonly all: readonly Comparing[] }[];

export type ProposedFeature = {
  readonly name: string;
  readonly indicator: string;
  readonly length: number | null;
  readonly of: string | null;
  readonly symbol: string | null;
  readonly lag: number | null;
  readonly output: string | null;
  readonly deviations: number | null;
  readonly fast: number | null;
  readonly slow: number | null;
  readonly signal: number | null;
  readonly smooth: number | null;
};

export type Proposal = {
  readonly missing: (typeof MISSING)[number];
  readonly instruments: readonly string[];
  readonly schedule: 'day' | 'week' | 'month';
  readonly direction: 'long' | 'long_short';
  readonly features: readonly ProposedFeature[];
  readonly rule: 'signals' | 'ranking' | 'pairs';
  readonly enter_long: Groups;
  readonly exit_long: Groups;
  readonly enter_short: Groups;
  readonly exit_short: Groups;
  readonly ranking: { readonly by: string; readonly top: number; readonly where: Groups } | null;
  readonly pair: {
    readonly first: string;
    readonly second: string;
    readonly length: number;
    readonly enter_at: number;
    readonly exit_at: number;
    readonly stop_at: number | null;
  } | null;
  readonly weighting: {
    readonly type: (typeof WEIGHTINGS)[number];
    readonly length: number | null;
    readonly annual_percent: number | null;
    readonly weights: readonly { readonly symbol: string; readonly percent: number }[];
  };
  readonly gross_percent: number;
  readonly stop_percent: number | null;
  readonly target_percent: number | null;
  readonly bars_held: number | null;
  readonly options: { readonly structure: string; readonly strike_percent: number } | null;
  readonly words: readonly { readonly part: (typeof WORD_PARTS)[number]; readonly quote: string }[];
};

export const MISSING = ['nothing', 'instruments', 'entry', 'exit', 'not_a_strategy'] as const;

/** Places in a definition that words can have made. */
export const WORD_PARTS = [
  'universe',
  'schedule',
  'direction',
  'rule.enterLong',
  'rule.exitLong',
  'rule.enterShort',
  'rule.exitShort',
  'rule',
  'weighting',
  'gross',
  'exits.stopPercent',
  'exits.targetPercent',
  'exits.maxBars',
  'options',
] as const;

const WEIGHTINGS = ['equal', 'equal_of_held', 'fixed', 'inverse_volatility', 'volatility_target'] as const;

const INDICATORS = [
  'sma',
  'ema',
  'wma',
  'zscore',
  'rsi',
  'roc',
  'highest',
  'lowest',
  'atr',
  'volatility',
  'drawdown',
  'adx',
  'donchian',
  'bollinger',
  'macd',
  'stochastic',
] as const;

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;
const number = { type: 'number' } as const;
const word = <Word extends string>(words: readonly Word[]) => ({ type: 'string', enum: words }) as const;
const list = <Item>(items: Item) => ({ type: 'array', items }) as const;
const orNull = <Some>(some: Some) => ({ anyOf: [some, { type: 'null' } as const] }) as const;
const object = <Fields extends Readonly<Record<string, unknown>>>(properties: Fields) =>
  ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false }) as const;

const groups = list(object({ all: list(object({ left: text, op: word(COMPARISONS), right: text })) }));

export const PROPOSAL_SCHEMA = object({
  missing: word(MISSING),
  instruments: list(text),
  schedule: word(['day', 'week', 'month']),
  direction: word(['long', 'long_short']),
  features: list(
    object({
      name: text,
      indicator: word(INDICATORS),
      length: orNull(whole),
      of: orNull(word(PRICE_NAMES)),
      symbol: orNull(text),
      lag: orNull(whole),
      output: orNull(text),
      deviations: orNull(number),
      fast: orNull(whole),
      slow: orNull(whole),
      signal: orNull(whole),
      smooth: orNull(whole),
    }),
  ),
  rule: word(['signals', 'ranking', 'pairs']),
  enter_long: groups,
  exit_long: groups,
  enter_short: groups,
  exit_short: groups,
  ranking: orNull(object({ by: text, top: whole, where: groups })),
  pair: orNull(
    object({
      first: text,
      second: text,
      length: whole,
      enter_at: number,
      exit_at: number,
      stop_at: orNull(number),
    }),
  ),
  weighting: object({
    type: word(WEIGHTINGS),
    length: orNull(whole),
    annual_percent: orNull(number),
    weights: list(object({ symbol: text, percent: number })),
  }),
  gross_percent: number,
  stop_percent: orNull(number),
  target_percent: orNull(number),
  bars_held: orNull(whole),
  options: orNull(object({ structure: word(OPTION_STRUCTURES), strike_percent: number })),
  words: list(object({ part: word(WORD_PARTS), quote: text })),
});
