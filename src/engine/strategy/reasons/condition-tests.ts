// The comparisons of a condition at one bar, with the numbers that they saw.
import type { BarSeries } from '../../market/bar-series.ts';
import { type Condition, type Operand, PRICE_NAMES } from '../definition.ts';
import type { FeatureSet } from '../feature-set.ts';
import type { ConditionTest } from './target-reason.ts';

export type Looked = {
  readonly bars: BarSeries;
  readonly features: Pick<FeatureSet, 'has' | 'valueAt'>;
  readonly bar: number;
};

type Comparing = Extract<Condition, { readonly left: Operand }>;

export function conditionTests(
  condition: Condition,
  looked: Looked,
  isNegated = false,
): readonly ConditionTest[] {
  if ('left' in condition) return [conditionTest(condition, looked, isNegated)];
  if (condition.op === 'not') return conditionTests(condition.of, looked, !isNegated);
  return condition.of.flatMap((one) => conditionTests(one, looked, isNegated));
}

function conditionTest(condition: Comparing, looked: Looked, isNegated: boolean): ConditionTest {
  const { op, left, right } = condition;
  const leftValue = operandAt(left, looked, looked.bar);
  const rightValue = operandAt(right, looked, looked.bar);
  const crosses = op === 'crosses_above' || op === 'crosses_below';
  const before = crosses && {
    left: operandAt(left, looked, looked.bar - 1),
    right: operandAt(right, looked, looked.bar - 1),
  };
  const held = compare(op, { left: leftValue, right: rightValue }, before || null);
  return {
    op,
    left,
    right,
    leftValue,
    rightValue,
    ...(before && { before }),
    holds: held === null ? null : held !== isNegated,
    ...(isNegated && { negated: true as const }),
  };
}

type Pair = { readonly left: number | null; readonly right: number | null };

/** As condition-column.ts compares whole columns. */
function compare(op: Comparing['op'], now: Pair, before: Pair | null): boolean | null {
  const gap = gapOf(now);
  if (gap === null) return null;
  switch (op) {
    case 'above':
      return gap > 0;
    case 'below':
      return gap < 0;
    case 'at_least':
      return gap >= 0;
    case 'at_most':
      return gap <= 0;
    default: {
      const past = before && gapOf(before);
      if (past === null) return null;
      return op === 'crosses_above' ? past < 0 && gap > 0 : past > 0 && gap < 0;
    }
  }
}

function gapOf({ left, right }: Pair): number | null {
  return left === null || right === null ? null : left - right;
}

function operandAt(operand: Operand, { bars, features }: Looked, bar: number): number | null {
  if (typeof operand === 'number') return operand;
  if (bar < 0) return null;
  if (features.has(operand)) return finite(features.valueAt(operand, bar));
  const price = PRICE_NAMES.find((name) => name === operand);
  return price === undefined ? null : finite(bars[price][bar]!);
}

export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
