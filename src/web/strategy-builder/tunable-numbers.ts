// The numbers of a definition that a user can tune, each with its path, its name and a range around the usual values.
import type { Condition, StrategyDefinition } from '#engine/strategy/definition.ts';
import { showCount, showCounted, showNumber, showPercent } from '../kit/figure/show-figure.ts';
import { featureWords } from '#rules/strategies/feature-words.ts';
import { isPercent } from './rule-form.ts';

export type TunableNumber = {
  /** Its place in the definition, such as features.trend.length. */
  readonly path: string;
  readonly label: string;
  /** share: of 1, shown in percent. */
  readonly unit: 'days' | 'percent' | 'share' | 'count' | 'level';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
};

export function tunableNumbers(definition: StrategyDefinition): readonly TunableNumber[] {
  const { features, rule, weighting, exits, options } = definition;
  const found: TunableNumber[] = [];
  const add = (path: string, label: string, unit: TunableNumber['unit'], value: number, range: Range) =>
    found.push({ path, label, unit, value, ...widened(range, value) });
  for (const [name, feature] of Object.entries(features)) {
    if ('length' in feature)
      add(
        `features.${name}.length`,
        `${UNIT_NAMES[feature.every ?? 'day']} of the ${withoutLength(featureWords(feature, features))}`,
        'days',
        feature.length,
        DAYS,
      );
  }
  if (rule.type === 'ranking') {
    const most = Math.max(1, definition.universe.length);
    add('rule.top', 'Positions held', 'count', rule.top, { min: 1, max: most, step: 1 });
    if (rule.where)
      addLevels(add, definition, { path: 'rule.where', condition: rule.where, label: 'Filter level' });
  }
  if (rule.type === 'signals') {
    for (const [side, label] of SIDES) {
      const condition = rule[side];
      if (condition) addLevels(add, definition, { path: `rule.${side}`, condition, label });
    }
  }
  if (weighting.type === 'volatility_target') {
    add('weighting.annualPercent', 'Annual volatility per position', 'percent', weighting.annualPercent, {
      min: 1,
      max: 40,
      step: 0.5,
    });
    add('weighting.length', 'Days of volatility history', 'days', weighting.length, {
      min: 10,
      max: 250,
      step: 1,
    });
  }
  if (exits.stopPercent !== undefined)
    add('exits.stopPercent', 'Stop loss', 'percent', exits.stopPercent, {
      min: 1,
      max: 50,
      step: 0.5,
    });
  if (exits.maxBars !== undefined)
    add('exits.maxBars', 'Maximum holding period', 'days', exits.maxBars, { min: 1, max: 120, step: 1 });
  addWhole(add, definition);
  if (options)
    add('options.strikePercent', 'Strike, of the price', 'percent', options.strikePercent, {
      min: 80,
      max: 120,
      step: 1,
    });
  return found;
}

const UNIT_NAMES = { day: 'Days', week: 'Weeks', month: 'Months' } as const;

/** Of what acts on the whole rule. */
function addWhole(add: Add, definition: StrategyDefinition): void {
  const { regime, basket, band, weighting, universe } = definition;
  if (weighting.type === 'conviction' && weighting.maxPercent !== undefined)
    add('weighting.maxPercent', 'Largest position', 'percent', weighting.maxPercent, {
      min: 1,
      max: 100,
      step: 1,
    });
  if (regime) {
    const label = `Level of ${regime.symbol}`;
    addLevels(add, definition, { path: 'regime.when', condition: regime.when, label });
  }
  if (basket) {
    const most = Math.max(1, universe.length);
    add('basket.most', 'Instruments that take part', 'count', basket.most, { min: 1, max: most, step: 1 });
  }
  if (band)
    add('band.percent', 'Band around a position', 'percent', band.percent, { min: 0.5, max: 20, step: 0.5 });
}

/** Five values around the present one, within its range. */
export function valuesAround({ value, min, max, step }: TunableNumber): readonly number[] {
  const reach = Math.max(step, roundTo((value * 0.5) / 2, step));
  const values = [-2, -1, 0, 1, 2].map((place) =>
    roundTo(Math.min(max, Math.max(min, value + place * reach)), step),
  );
  return [...new Set(values)];
}

type Range = Pick<TunableNumber, 'min' | 'max' | 'step'>;
type Add = (path: string, label: string, unit: TunableNumber['unit'], value: number, range: Range) => void;

const DAYS: Range = { min: 2, max: 400, step: 1 };

const SIDES = [
  ['enterLong', 'Buy level'],
  ['exitLong', 'Sell level'],
  ['enterShort', 'Short level'],
  ['exitShort', 'Buy-back level'],
] as const;

/** Thresholds of a condition; a zero is a sign, not a size, and stays. */
function addLevels(
  add: Add,
  definition: StrategyDefinition,
  { path, condition, label }: { path: string; condition: Condition; label: string },
): void {
  if (!('left' in condition)) {
    if (condition.op === 'not')
      return addLevels(add, definition, { path: `${path}.of`, condition: condition.of, label });
    for (const [place, one] of condition.of.entries())
      addLevels(add, definition, { path: `${path}.of.${place}`, condition: one, label });
    return;
  }
  const { left, right } = condition;
  if (typeof right !== 'number' || right === 0) return;
  if (isPercent(left, definition.features))
    return add(`${path}.right`, label, 'share', right, { min: -0.5, max: 0.5, step: 0.005 });
  const isSmall = Math.abs(right) <= 5;
  add(
    `${path}.right`,
    label,
    'level',
    right,
    isSmall ? { min: -5, max: 5, step: 0.1 } : { min: 0, max: 100, step: 1 },
  );
}

/** A value outside of the usual range is not moved by being shown. */
function widened({ min, max, step }: Range, value: number): Range {
  return { min: Math.min(min, value), max: Math.max(max, value), step };
}

function withoutLength(words: string): string {
  return words
    .replace(/\b\d+-(?:day|week|month) /, '')
    .replace(/ (?:over|of|of the) \d+ (?:days|whole weeks|whole months).*$/, '');
}

function roundTo(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(6));
}

export function showTunable({ unit, step }: Pick<TunableNumber, 'unit' | 'step'>, value: number): string {
  if (unit === 'percent') return showPercent(value, { decimals: step < 1 ? 1 : 0 });
  if (unit === 'share') return showPercent(value * 100, { decimals: 1 });
  if (unit === 'days') return showCounted(value, 'day');
  return unit === 'count' ? showCount(value) : showNumber(value, step < 1 ? 1 : 0);
}
