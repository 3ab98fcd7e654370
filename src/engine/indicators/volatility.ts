// Realised volatility: the sample standard deviation of the last `window` one-bar simple returns, per bar. Times
// sqrt(bars a year) it is annual. First defined `window` bars after the first price.
import { roc } from './roc.ts';
import { rollingDeviation } from './rolling-deviation.ts';

export function volatility(prices: Float64Array, window: number): Float64Array {
  return rollingDeviation(roc(prices, 1), window, 'sample').deviation;
}
