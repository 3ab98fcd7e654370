import type { Condition, Exits, Feature, Rule, Schedule, Weighting } from '#engine/strategy/definition.ts';
import type { BuilderInput, OptionStructure, UsualStyle } from '#rules/strategy-builder/builder-input.ts';
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
export const STYLE_TEMPLATES: Readonly<
  Record<UsualStyle, (input: BuilderInput, universe: Universe) => Template>
> = {
  trend_following: (input, universe) => {
    const isCrypto = input.assetClass === 'crypto';
    return {
      strategyType: 'trend_following',
      every: isCrypto ? 'day' : 'week',
      features: { trend: { indicator: 'sma', length: isCrypto ? 50 : 200 } },
      rule: bothSides(input, above('close', 'trend'), below('close', 'trend')),
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

  mean_reversion: (input, universe) => ({
    strategyType: 'mean_reversion',
    every: 'day',
    features: { stretch: { indicator: 'zscore', length: 20 } },
    rule: {
      type: 'signals',
      enterLong: below('stretch', -2),
      exitLong: { op: 'at_least', left: 'stretch', right: 0 },
      ...(sellsShort(input)
        ? {
            enterShort: above('stretch', 2),
            exitShort: { op: 'at_most', left: 'stretch', right: 0 } as const,
          }
        : {}),
    },
    ...sized(input, universe, 'universe'),
    exits: { ...stopOf(input), maxBars: 15 },
  }),
};

/** The underlying is held throughout; option premiums come on top. */
export function optionsTemplate(structure: OptionStructure, { symbols }: Universe): Template {
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

/** Only currencies, where both sides of a pair are money. */
export function sellsShort({ assetClass, riskLevel }: BuilderInput): boolean {
  return assetClass === 'forex' && riskLevel !== 'low';
}

const LEAST_RANKED = 4;

function rankedMomentum(input: BuilderInput, universe: Universe): Template {
  const length = input.assetClass === 'crypto' ? 60 : 231;
  const isCareful = input.riskLevel !== 'high';
  const top = Math.max(1, Math.round(universe.symbols.length / (input.riskLevel === 'high' ? 6 : 3)));
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
      bottom: 0,
      ...(isCareful ? { where: above('close', 'trend') } : {}),
    },
    ...sized(input, universe, 'held'),
  };
}

/** Each instrument against its own past. */
function ownMomentum(input: BuilderInput, universe: Universe): Template {
  const length = input.assetClass === 'crypto' ? 60 : 252;
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

/** No position may lose more than the portfolio's limit. */
function stopOf({ maxDrawdown }: BuilderInput): Exits {
  return { stopPercent: maxDrawdown };
}

function above(left: string, right: string | number): Condition {
  return { op: 'above', left, right };
}

function below(left: string, right: string | number): Condition {
  return { op: 'below', left, right };
}
