// A condition as a column over bars: 1 true, 0 false, 2 unknown (an operand is not defined yet). Unknown stays unknown
// through 'not', so that nothing is ever entered on a value that is not there.
import type { BarSeries } from '../../market/bar-series.ts';
import { type Condition, type Operand, PRICE_NAMES } from '../definition.ts';
import type { FeatureSet } from '../feature-set.ts';

export type ConditionInputs = {
  readonly bars: BarSeries;
  readonly features: Pick<FeatureSet, 'get'>;
};

export const FALSE = 0;
export const TRUE = 1;
export const UNKNOWN = 2;

export function conditionColumn(condition: Condition, inputs: ConditionInputs): Uint8Array {
  switch (condition.op) {
    case 'all':
    case 'any':
      return joined(
        condition.op,
        condition.of.map((one) => conditionColumn(one, inputs)),
      );
    case 'not': {
      const column = conditionColumn(condition.of, inputs);
      for (let i = 0; i < column.length; i++) column[i] = column[i] === UNKNOWN ? UNKNOWN : 1 - column[i]!;
      return column;
    }
    case 'crosses_above':
      return crossColumn(operandColumn(condition.left, inputs), operandColumn(condition.right, inputs));
    case 'crosses_below':
      return crossColumn(operandColumn(condition.right, inputs), operandColumn(condition.left, inputs));
    case 'above':
      return aboveColumn(operandColumn(condition.left, inputs), operandColumn(condition.right, inputs));
    case 'below':
      return aboveColumn(operandColumn(condition.right, inputs), operandColumn(condition.left, inputs));
    case 'at_least':
      return atLeastColumn(operandColumn(condition.left, inputs), operandColumn(condition.right, inputs));
    case 'at_most':
      return atLeastColumn(operandColumn(condition.right, inputs), operandColumn(condition.left, inputs));
  }
}

export function operandColumn(operand: Operand, { bars, features }: ConditionInputs): Float64Array {
  if (typeof operand === 'number') return new Float64Array(bars.length).fill(operand);
  const feature = features.get(operand);
  if (feature !== undefined) return feature;
  const price = PRICE_NAMES.find((name) => name === operand);
  if (price === undefined) throw new RangeError(`no such feature: ${operand}`);
  return bars[price];
}

/** left was below right at the bar before and is above it now; strict at both bars. */
function crossColumn(left: Float64Array, right: Float64Array): Uint8Array {
  const column = new Uint8Array(left.length);
  let before = Number.NaN;
  for (let i = 0; i < column.length; i++) {
    const gap = left[i]! - right[i]!;
    // NaN is neither above nor below: only an unknown gap leaves the arithmetic undefined.
    if (before < 0 && gap > 0) column[i] = TRUE;
    else if (before - gap !== before - gap) column[i] = UNKNOWN;
    before = gap;
  }
  return column;
}

function aboveColumn(left: Float64Array, right: Float64Array): Uint8Array {
  const column = new Uint8Array(left.length);
  for (let i = 0; i < column.length; i++) {
    column[i] = left[i]! > right[i]! ? TRUE : left[i]! <= right[i]! ? FALSE : UNKNOWN;
  }
  return column;
}

function atLeastColumn(left: Float64Array, right: Float64Array): Uint8Array {
  const column = new Uint8Array(left.length);
  for (let i = 0; i < column.length; i++) {
    column[i] = left[i]! >= right[i]! ? TRUE : left[i]! < right[i]! ? FALSE : UNKNOWN;
  }
  return column;
}

/** Kleene's three-valued and / or. */
function joined(op: 'all' | 'any', columns: readonly Uint8Array[]): Uint8Array {
  const decides = op === 'all' ? FALSE : TRUE;
  const result = columns[0]!;
  for (const column of columns.slice(1)) {
    for (let i = 0; i < result.length; i++) {
      const left = result[i]!;
      const right = column[i]!;
      if (left === decides || right === decides) result[i] = decides;
      else if (left === UNKNOWN || right === UNKNOWN) result[i] = UNKNOWN;
    }
  }
  return result;
}
