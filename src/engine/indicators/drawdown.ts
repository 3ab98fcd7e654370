// How far a value is below its highest of the last `window` values, as a fraction: zero at the high, negative below it.
import { highest } from './highest-lowest.ts';

export function drawdown(values: Float64Array, window: number): Float64Array {
  const result = highest(values, window);
  for (let i = 0; i < result.length; i++) result[i] = values[i]! / result[i]! - 1;
  return result;
}
