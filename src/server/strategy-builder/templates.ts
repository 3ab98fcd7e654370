import type { Condition, Exits, Feature, Rule, Schedule, Weighting } from '#engine/strategy/definition.ts';
import { type BuilderInput, type Style, usualStructure } from '#rules/strategy-builder/builder-input.ts';
import { aimedVolatility } from '#rules/strategy-builder/strategy-size.ts';
import type { Universe } from './choose-universe.ts';

export type BuiltType = 'trend_following' | 'momentum' | 'mean_reversion' | 'hybrid';

type Template = {
  readonly strategyType: BuiltType;
  readonly every: Extract<Schedule['every'], 'day' | 'week' | 'month'>;
  readonly features: { readonly [name: string]: Feature };
  readonly rule: Rule;
  readonly weighting: Weighting;
  readonly gross: number;
  readonly exits?: Exits;
  readonly options?: object;
};

/** One published idea for each style; the definition's notes name its source. */
export const STYLE_TEMPLATES: Readonly<Record<Style, (input: BuilderInput, universe: Universe) => Template>> =
  {
    trend_following: (input, universe) => {
      const length = input.preferences.length ?? (input.assetClass === 'crypto' ? 50 : 200);
      const isCross = input.preferences.signal === 'cross';
      return {
        strategyType: 'trend_following',
        every: input.assetClass === 'crypto' ? 'day' : 'week',
        features: isCross ? twoAverages(length) : { trend: { indicator: 'sma', length } },
        rule: bothSides(
          input,
          isCross ? above('fast', 'slow') : above('close', 'trend'),
          isCross ? below('fast', 'slow') : below('close', 'trend'),
        ),
        ...sized(input, universe, 'universe'),
        exits: stopOf(input),
      };
    },

    momentum: (input, universe) => {
      const isRanked =
        (input.assetClass === 'equity' || input.assetClass === 'crypto') &&
        universe.symbols.length >= LEAST_RANKED;
      return isRanked ? rankedMomentum(input, universe) : ownMomentum(input, universe);
    },

    mean_reversion: (input, universe) => {
      const isRsi = input.preferences.signal === 'rsi';
      const length = input.preferences.length ?? (isRsi ? 14 : 20);
      // Buys dips only while the long-term trend is up.
      const onlyInTrend = input.assetClass === 'equity' && !sellsShort(input);
      const stretched: Condition = below('stretch', isRsi ? 30 : -2);
      const shorts = sellsShort(input)
        ? {
            enterShort: above('stretch', isRsi ? 70 : 2),
            exitShort: { op: 'at_most', left: 'stretch', right: isRsi ? 50 : 0 } as const,
          }
        : {};
      return {
        strategyType: 'mean_reversion',
        every: 'day',
        features: {
          stretch: { indicator: isRsi ? 'rsi' : 'zscore', length },
          ...(onlyInTrend ? { trend: { indicator: 'sma', length: 200 } as const } : {}),
        },
        rule: {
          type: 'signals',
          enterLong: onlyInTrend ? { op: 'all', of: [stretched, above('close', 'trend')] } : stretched,
          exitLong: { op: 'at_least', left: 'stretch', right: isRsi ? 50 : 0 },
          ...shorts,
        },
        ...sized(input, universe, 'universe'),
        exits: { ...stopOf(input), maxBars: 15 },
      };
    },

    breakout: (input, universe) => {
      const length = input.preferences.length ?? 55;
      const back = Math.max(2, Math.round(length / 3));
      return {
        strategyType: 'trend_following',
        every: 'day',
        features: {
          top: { indicator: 'donchian', length, output: 'upper' },
          exit_low: { indicator: 'donchian', length: back, output: 'lower' },
          ...(sellsShort(input)
            ? {
                bottom: { indicator: 'donchian', length, output: 'lower' } as const,
                exit_high: { indicator: 'donchian', length: back, output: 'upper' } as const,
              }
            : {}),
        },
        rule: {
          type: 'signals',
          enterLong: above('close', 'top'),
          exitLong: below('close', 'exit_low'),
          ...(sellsShort(input)
            ? { enterShort: below('close', 'bottom'), exitShort: above('close', 'exit_high') }
            : {}),
        },
        ...sized(input, universe, 'universe'),
        exits: stopOf(input),
      };
    },
  };

function twoAverages(length: number): Template['features'] {
  const fast = Math.max(2, Math.round(length / 4));
  return { fast: { indicator: 'sma', length: fast }, slow: { indicator: 'sma', length } };
}

/** The underlying is held throughout; option premiums come on top. */
export function optionsTemplate(input: BuilderInput, { symbols }: Universe): Template {
  const structure = input.preferences.structure ?? usualStructure(input);
  return {
    strategyType: 'hybrid',
    every: 'month',
    features: {},
    rule: { type: 'signals', enterLong: above('close', 0), exitLong: below('close', 0) },
    weighting: { type: 'equal', over: 'universe' },
    // Keeps some cash to pay for the options.
    gross: 0.95,
    options: { structure, underlyings: symbols, strikePercent: structure === 'covered_call' ? 102 : 95 },
  };
}

/** Shorts if requested; by default only currencies, where both sides of a pair are money. */
export function sellsShort({ assetClass, riskLevel, preferences }: BuilderInput): boolean {
  return preferences.shorts ?? (assetClass === 'forex' && riskLevel !== 'low');
}

const LEAST_RANKED = 4;

function rankedMomentum(input: BuilderInput, universe: Universe): Template {
  const length = input.preferences.length ?? (input.assetClass === 'crypto' ? 60 : 231);
  const isCareful = input.riskLevel !== 'high';
  const usualTop = Math.max(1, Math.round(universe.symbols.length / (input.riskLevel === 'high' ? 6 : 3)));
  const top = Math.min(input.preferences.top ?? usualTop, universe.symbols.length);
  return {
    strategyType: 'momentum',
    every: input.assetClass === 'crypto' ? 'week' : 'month',
    features: {
      // A year's momentum without the last month.
      momentum: { indicator: 'roc', length, ...(input.assetClass === 'equity' ? { lag: 21 } : {}) },
      ...(isCareful
        ? { trend: { indicator: 'sma', length: input.assetClass === 'crypto' ? 100 : 200 } as const }
        : {}),
    },
    rule: {
      type: 'ranking',
      by: 'momentum',
      top,
      bottom: sellsShort(input) ? Math.min(top, universe.symbols.length - top) : 0,
      ...(isCareful && !sellsShort(input) ? { where: above('close', 'trend') } : {}),
    },
    ...sized(input, universe, 'held'),
  };
}

/** Each instrument against its own past. */
function ownMomentum(input: BuilderInput, universe: Universe): Template {
  const length = input.preferences.length ?? (input.assetClass === 'crypto' ? 60 : 252);
  return {
    strategyType: 'momentum',
    every: input.assetClass === 'crypto' ? 'week' : 'month',
    features: { change: { indicator: 'roc', length } },
    rule: bothSides(input, above('change', 0), below('change', 0)),
    ...sized(input, universe, 'universe'),
    exits: stopOf(input),
  };
}

function bothSides(input: BuilderInput, up: Condition, down: Condition): Rule {
  const shorts = sellsShort(input) ? { enterShort: down, exitShort: up } : {};
  return { type: 'signals', enterLong: up, exitLong: down, ...shorts };
}

/** How much less volatile several instruments are together than one of them alone. */
const SPREAD_BENEFIT = 1.5;

function sized(
  input: BuilderInput,
  { symbols }: Universe,
  over: 'universe' | 'held',
): Pick<Template, 'weighting' | 'gross'> {
  const benefit = symbols.length >= 3 ? SPREAD_BENEFIT : 1;
  const annualPercent = Math.round(aimedVolatility(input) * benefit * 10) / 10;
  return { weighting: { type: 'volatility_target', length: 63, annualPercent, over }, gross: 1 };
}

/** No position may lose more than the portfolio's limit, unless a stop was requested. */
function stopOf({ preferences, maxDrawdown }: BuilderInput): Exits {
  return { stopPercent: preferences.stopPercent ?? maxDrawdown };
}

function above(left: string, right: string | number): Condition {
  return { op: 'above', left, right };
}

function below(left: string, right: string | number): Condition {
  return { op: 'below', left, right };
}
