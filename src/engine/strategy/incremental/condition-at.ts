// A condition at one bar: strategy/condition-column.ts without the column. Reads the bar and the one before it.
import { FALSE, TRUE, UNKNOWN } from '../condition-column.ts';
import type { Condition, Operand } from '../definition.ts';

/** The value of a feature or a price at a bar; NaN where there is none. */
export type ValueAt = (name: string, bar: number) => number;

export function conditionAt(condition: Condition, bar: number, valueAt: ValueAt): number {
  switch (condition.op) {
    case 'all':
    case 'any':
      return joined(condition.op, condition.of, (one) => conditionAt(one, bar, valueAt));
    case 'not': {
      const value = conditionAt(condition.of, bar, valueAt);
      return value === UNKNOWN ? UNKNOWN : 1 - value;
    }
  }
  const { op, left, right } = condition;
  const at = (operand: Operand, i: number) => (typeof operand === 'number' ? operand : valueAt(operand, i));
  const gapAt = (i: number) => (i < 0 ? Number.NaN : at(left, i) - at(right, i));
  if (op === 'crosses_above') return crossed(gapAt(bar - 1), gapAt(bar));
  if (op === 'crosses_below') return crossed(-gapAt(bar - 1), -gapAt(bar));
  const over = op === 'above' || op === 'at_least';
  const [x, y] = over ? [at(left, bar), at(right, bar)] : [at(right, bar), at(left, bar)];
  if (op === 'above' || op === 'below') return x > y ? TRUE : x <= y ? FALSE : UNKNOWN;
  return x >= y ? TRUE : x < y ? FALSE : UNKNOWN;
}

function crossed(before: number, gap: number): number {
  if (before < 0 && gap > 0) return TRUE;
  return before - gap !== before - gap ? UNKNOWN : FALSE;
}

/** Kleene's three-valued and / or. */
function joined(
  op: 'all' | 'any',
  conditions: readonly Condition[],
  valueOf: (condition: Condition) => number,
): number {
  const decides = op === 'all' ? FALSE : TRUE;
  let isUnknown = false;
  for (const condition of conditions) {
    const value = valueOf(condition);
    if (value === decides) return decides;
    if (value === UNKNOWN) isUnknown = true;
  }
  return isUnknown ? UNKNOWN : 1 - decides;
}
