// Bollinger bands (Bollinger on Bollinger Bands, 2001): the simple mean plus and minus a number of population standard
// deviations; %b says where the value is between them (0 to 1), width their distance as a share of the mean.
import { rollingDeviation } from './rolling-deviation.ts';
import { undefinedColumn } from './window.ts';

export type Bollinger = {
  readonly middle: Float64Array;
  readonly upper: Float64Array;
  readonly lower: Float64Array;
  /** 0.5 where the bands have no width. */
  readonly percentB: Float64Array;
  readonly width: Float64Array;
};

export function bollinger(values: Float64Array, window: number, deviations: number): Bollinger {
  const { mean, deviation } = rollingDeviation(values, window, 'population');
  const upper = undefinedColumn(values.length);
  const lower = undefinedColumn(values.length);
  const percentB = undefinedColumn(values.length);
  const width = undefinedColumn(values.length);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(mean[i]!)) continue;
    const half = deviations * deviation[i]!;
    upper[i] = mean[i]! + half;
    lower[i] = mean[i]! - half;
    percentB[i] = half === 0 ? 0.5 : (values[i]! - lower[i]!) / (2 * half);
    width[i] = (2 * half) / mean[i]!;
  }
  return { middle: mean, upper, lower, percentB, width };
}
