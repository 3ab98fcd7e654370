// What the values of features are measured in, so that arithmetic and comparisons of what cannot be compared are refused when
// a definition is read. A plain number is of any unit.
import type { Feature, Operand, PriceName, StrategyDefinition } from '../definition.ts';
import { PRICE_NAMES } from '../definition.ts';
import { join, type Reader } from './reader.ts';

/**
 * price: of its instrument. units: how many were traded. money: price × units. fraction: of 1, as returns are. points: from 0 to 100.
 * deviations: standard deviations. number: a ratio.
 */
export type Unit = 'price' | 'units' | 'money' | 'fraction' | 'points' | 'deviations' | 'number';

type Features = StrategyDefinition['features'];

/** Null of a plain number, of what is not known, and of what was refused already. */
export function unitOf(operand: Operand, features: Features, depth = 0): Unit | null {
  if (typeof operand === 'number') return null;
  const price = PRICE_NAMES.find((name) => name === operand);
  if (price !== undefined) return priceUnit(price);
  const feature = features[operand];
  if (feature === undefined || depth > DEEPEST) return null;
  switch (feature.indicator) {
    case 'combine':
      return combinedUnit(feature, features, depth);
    case 'sma':
    case 'ema':
    case 'wma':
    case 'highest':
    case 'lowest':
      return priceUnit(feature.of ?? 'close');
    default:
      return UNITS[feature.indicator];
  }
}

/** Refuses arithmetic on what does not exist, on itself, and between units that do not go together. */
export function checkCombined(reader: Reader, features: Features): void {
  for (const [name, feature] of Object.entries(features)) {
    if (feature.indicator !== 'combine') continue;
    const path = join('features', name);
    const known = checkNames(reader, feature, { path, features });
    if (!known) continue;
    if (depthOf(name, features) > DEEPEST) {
      reader.fail(path, `reads itself, or is built up of more than ${DEEPEST} steps`);
      continue;
    }
    const [left, right] = [unitOf(feature.left, features), unitOf(feature.right, features)];
    if (typeof feature.left === 'number' && typeof feature.right === 'number')
      reader.fail(path, 'is arithmetic between two plain numbers: write the result');
    else if (
      feature.op === 'ratio' ? !divides(left, right) : left !== null && right !== null && left !== right
    )
      reader.fail(
        path,
        `is a ${feature.op} of ${unitWords(left)} and ${unitWords(right)}, which are of different units`,
      );
  }
}

/** Refuses to compare the result of arithmetic with something of another unit. */
export function checkCompared(
  reader: Reader,
  features: Features,
  { left, right, path }: { readonly left: Operand; readonly right: Operand; readonly path: string },
): void {
  const isCombined = [left, right].some(
    (one) => typeof one === 'string' && features[one]?.indicator === 'combine',
  );
  if (!isCombined) return;
  const [one, other] = [unitOf(left, features), unitOf(right, features)];
  if (one !== null && other !== null && one !== other)
    reader.fail(path, `compares ${unitWords(one)} with ${unitWords(other)}, which are of different units`);
}

type Combined = Extract<Feature, { indicator: 'combine' }>;

function combinedUnit({ op, left, right }: Combined, features: Features, depth: number): Unit | null {
  const [one, other] = [unitOf(left, features, depth + 1), unitOf(right, features, depth + 1)];
  if (op === 'spread') return 'fraction';
  if (op === 'difference') return one ?? other;
  // By a plain number or a ratio, the unit stays.
  return other === null || other === 'number' ? one : 'number';
}

/** Of one unit, or by a plain number; never a plain number by something that has a unit. */
function divides(left: Unit | null, right: Unit | null): boolean {
  if (right === null || right === 'number') return true;
  return left === right;
}

function checkNames(
  reader: Reader,
  feature: Combined,
  { path, features }: { readonly path: string; readonly features: Features },
): boolean {
  let known = true;
  for (const side of ['left', 'right'] as const) {
    const operand = feature[side];
    if (typeof operand === 'number' || Object.hasOwn(features, operand) || isPrice(operand)) continue;
    known = false;
    const names = [...PRICE_NAMES, ...Object.keys(features)].join(', ');
    reader.fail(join(path, side), `must be a number or one of ${names}`);
  }
  return known;
}

/** How many combined features stand one upon the other; a circle has no end. */
function depthOf(name: string, features: Features, depth = 1): number {
  const feature = features[name];
  if (feature?.indicator !== 'combine' || depth > DEEPEST) return depth;
  const sides = [feature.left, feature.right].filter((one) => typeof one === 'string');
  return Math.max(
    depth,
    ...sides.map((one) =>
      features[one]?.indicator === 'combine' ? depthOf(one, features, depth + 1) : depth,
    ),
  );
}

function isPrice(name: string): name is PriceName {
  return PRICE_NAMES.some((price) => price === name);
}

function priceUnit(price: PriceName): Unit {
  return price === 'volume' ? 'units' : 'price';
}

function unitWords(unit: Unit | null): string {
  return unit === null ? 'a plain number' : UNIT_WORDS[unit];
}

const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  price: 'a price',
  units: 'a volume',
  money: 'an amount of money',
  fraction: 'a return or volatility',
  points: 'points from 0 to 100',
  deviations: 'standard deviations',
  number: 'a ratio',
};

const UNITS = {
  zscore: 'deviations',
  rsi: 'points',
  roc: 'fraction',
  atr: 'price',
  volatility: 'fraction',
  drawdown: 'fraction',
  correlation: 'number',
  adx: 'points',
  donchian: 'price',
  bollinger: 'price',
  macd: 'price',
  stochastic: 'points',
  month_return: 'fraction',
  turnover: 'money',
} as const;

const DEEPEST = 4;
