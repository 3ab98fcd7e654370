// Arithmetic between two columns, value by value. What is divided by zero is not defined, and neither is what has an operand that
// is not.
import type { Feature } from './definition.ts';

export type CombineOp = Extract<Feature, { indicator: 'combine' }>['op'];

export function combine(op: CombineOp, left: Float64Array, right: Float64Array): Float64Array {
  const result = new Float64Array(left.length);
  for (let i = 0; i < result.length; i++) {
    const [one, other] = [left[i]!, right[i]!];
    if (op === 'difference') result[i] = one - other;
    else if (other === 0) result[i] = Number.NaN;
    else result[i] = op === 'ratio' ? one / other : one / other - 1;
  }
  return result;
}
