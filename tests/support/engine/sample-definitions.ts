// Strategy definitions of every rule and weighting, for tests.
import type { Symbol } from '#units/identifiers.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';

/** Parses, or throws with the parser's own errors. */
export function definitionOf(value: object): StrategyDefinition {
  const parsed = parseDefinition({
    language: 'bellwether-strategy/1',
    name: 'Sample',
    benchmark: 'AAA',
    ...value,
  });
  if (!parsed.ok) throw new Error(parsed.errors.map(({ path, message }) => `${path} ${message}`).join('\n'));
  return parsed.definition;
}

export const SAMPLE_SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD'] as Symbol[];

export const SAMPLE_DEFINITIONS: { readonly [name: string]: StrategyDefinition } = {
  trend: definitionOf({
    universe: SAMPLE_SYMBOLS,
    features: { fast: { indicator: 'sma', length: 5 }, slow: { indicator: 'sma', length: 20 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'crosses_above', left: 'fast', right: 'slow' },
      exitLong: { op: 'crosses_below', left: 'fast', right: 'slow' },
    },
  }),
  longShort: definitionOf({
    universe: SAMPLE_SYMBOLS,
    direction: 'long_short',
    features: { fast: { indicator: 'ema', length: 4 }, slow: { indicator: 'ema', length: 12 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'fast', right: 'slow' },
      enterShort: { op: 'below', left: 'fast', right: 'slow' },
    },
    weighting: { type: 'volatility_target', length: 10, annualPercent: 20 },
    schedule: { every: 'week' },
  }),
  reversion: definitionOf({
    universe: SAMPLE_SYMBOLS,
    features: { rsi: { indicator: 'rsi', length: 5 }, trend: { indicator: 'sma', length: 30 } },
    rule: {
      type: 'signals',
      enterLong: {
        op: 'all',
        of: [
          { op: 'below', left: 'rsi', right: 30 },
          { op: 'not', of: { op: 'below', left: 'close', right: 'trend' } },
        ],
      },
      exitLong: { op: 'above', left: 'rsi', right: 60 },
    },
    exits: { stopPercent: 4, targetPercent: 8, maxBars: 15 },
    weighting: { type: 'fixed', weights: { AAA: 0.4, BBB: 0.3, CCC: 0.3 } },
  }),
  breakout: definitionOf({
    universe: SAMPLE_SYMBOLS,
    features: {
      upper: { indicator: 'donchian', length: 10, output: 'upper' },
      lower: { indicator: 'donchian', length: 5, output: 'lower' },
    },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'upper' },
      exitLong: { op: 'below', left: 'close', right: 'lower' },
    },
    weighting: { type: 'inverse_volatility', length: 10 },
  }),
  momentum: definitionOf({
    universe: SAMPLE_SYMBOLS,
    direction: 'long_short',
    schedule: { every: 'month' },
    features: { momentum: { indicator: 'month_return', months: 2, skip: 1 } },
    rule: { type: 'ranking', by: 'momentum', top: 2, bottom: 1 },
  }),
  pairs: definitionOf({
    universe: SAMPLE_SYMBOLS,
    direction: 'long_short',
    rule: {
      type: 'pairs',
      pairs: [
        { first: 'AAA', second: 'BBB' },
        { first: 'CCC', second: 'DDD' },
      ],
      spread: 'log_ratio',
      length: 15,
      enterAt: 1.5,
      exitAt: 0.3,
      stopAt: 4,
    },
  }),
  arithmetic: definitionOf({
    universe: SAMPLE_SYMBOLS,
    features: {
      fast: { indicator: 'sma', length: 5 },
      slow: { indicator: 'sma', length: 20 },
      apart: { indicator: 'combine', op: 'spread', left: 'fast', right: 'slow' },
      weekly: { indicator: 'sma', length: 3, every: 'week' },
      above: { indicator: 'combine', op: 'ratio', left: 'close', right: 'weekly', lag: 1 },
      gap: { indicator: 'combine', op: 'difference', left: 'above', right: 1 },
    },
    rule: {
      type: 'signals',
      enterLong: {
        op: 'all',
        of: [
          { op: 'above', left: 'apart', right: 0 },
          { op: 'above', left: 'gap', right: -0.05 },
        ],
      },
      exitLong: { op: 'below', left: 'apart', right: -0.001 },
    },
    weighting: { type: 'conviction', by: 'apart', maxPercent: 40 },
    band: { percent: 3 },
  }),
  regime: definitionOf({
    universe: SAMPLE_SYMBOLS,
    schedule: { every: 'week' },
    features: {
      mean: { indicator: 'sma', length: 10 },
      monthly: { indicator: 'highest', length: 2, every: 'month' },
      strength: { indicator: 'roc', length: 10 },
    },
    rule: {
      type: 'ranking',
      by: 'strength',
      top: 2,
      bottom: 0,
      where: { op: 'at_most', left: 'close', right: 'monthly' },
    },
    regime: {
      symbol: 'BBB',
      when: { op: 'above', left: 'close', right: 'mean' },
      otherwise: { type: 'ranking', by: 'strength', top: 1, bottom: 0 },
    },
    weighting: { type: 'inverse_volatility', length: 10 },
    band: { percent: 5 },
  }),
  basket: definitionOf({
    universe: SAMPLE_SYMBOLS,
    features: { mean: { indicator: 'sma', length: 10 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'mean' },
      exitLong: { op: 'below', left: 'close', right: 'mean' },
    },
    exits: { stopPercent: 5 },
    basket: { by: 'turnover', length: 5, most: 2 },
    regime: {
      symbol: 'AAA',
      when: { op: 'above', left: 'close', right: 'mean' },
      otherwise: { type: 'cash' },
    },
  }),
  hedgedPairs: definitionOf({
    universe: SAMPLE_SYMBOLS,
    direction: 'long_short',
    rule: {
      type: 'pairs',
      pairs: [{ first: 'AAA', second: 'CCC' }],
      spread: 'hedge_ratio',
      length: 20,
      enterAt: 1.5,
      exitAt: 0.2,
    },
  }),
};
