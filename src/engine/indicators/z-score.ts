// The distance of the newest value from the mean of the last `window` values, in population standard deviations (the
// standard score of statistics). 0 where nothing moved.
import { rollingDeviation } from './rolling-deviation.ts';
import { undefinedColumn } from './window.ts';

export function zScore(values: Float64Array, window: number): Float64Array {
  const { mean, deviation } = rollingDeviation(values, window, 'population');
  const result = undefinedColumn(values.length);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(mean[i]!)) continue;
    result[i] = deviation[i] === 0 ? 0 : (values[i]! - mean[i]!) / deviation[i]!;
  }
  return result;
}
