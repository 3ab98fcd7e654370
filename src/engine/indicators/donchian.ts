// Donchian channel (Donchian's four-week rule; Covel, The Complete TurtleTrader): highest high and lowest low of
// `window` bars. 'prior' leaves the current bar out, so that a close can break the channel; 'current' includes it.
import { highest, lowest } from './highest-lowest.ts';
import { requireSameLength, undefinedColumn } from './window.ts';

export type Donchian = {
  readonly upper: Float64Array;
  readonly lower: Float64Array;
  readonly middle: Float64Array;
};

export type DonchianBars = 'prior' | 'current';

export function donchian(
  { high, low }: { readonly high: Float64Array; readonly low: Float64Array },
  window: number,
  bars: DonchianBars,
): Donchian {
  requireSameLength(high, low);
  const delay = bars === 'prior' ? 1 : 0;
  const upper = delayed(highest(high, window), delay);
  const lower = delayed(lowest(low, window), delay);
  const middle = new Float64Array(high.length);
  for (let i = 0; i < middle.length; i++) middle[i] = (upper[i]! + lower[i]!) / 2;
  return { upper, lower, middle };
}

function delayed(values: Float64Array, bars: number): Float64Array {
  if (bars === 0) return values;
  const result = undefinedColumn(values.length);
  result.set(values.subarray(0, Math.max(0, values.length - bars)), Math.min(bars, values.length));
  return result;
}
