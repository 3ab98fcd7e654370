// Stochastic oscillator (Lane, Technical Analysis of Stocks & Commodities, 1984): where the close is between lowest low
// and highest high, 0 to 100. k is that raw value smoothed by a simple mean over `smooth` bars (1 is the fast form), d
// the mean of k over `signal` bars, j = 3k − 2d. 50 where the range is zero.
import type { HighLowClose } from './atr.ts';
import { highest, lowest } from './highest-lowest.ts';
import { sma } from './averages/sma.ts';
import { requireSameLength, undefinedColumn } from './window.ts';

export type Stochastic = { readonly k: Float64Array; readonly d: Float64Array; readonly j: Float64Array };

export type StochasticWindows = {
  readonly lookback: number;
  readonly smooth: number;
  readonly signal: number;
};

export function stochastic({ high, low, close }: HighLowClose, windows: StochasticWindows): Stochastic {
  requireSameLength(high, low, close);
  const top = highest(high, windows.lookback);
  const bottom = lowest(low, windows.lookback);
  const raw = undefinedColumn(close.length);
  for (let i = 0; i < close.length; i++) {
    if (Number.isNaN(top[i]!)) continue;
    const range = top[i]! - bottom[i]!;
    raw[i] = range === 0 ? 50 : (100 * (close[i]! - bottom[i]!)) / range;
  }
  const k = sma(raw, windows.smooth);
  const d = sma(k, windows.signal);
  const j = new Float64Array(close.length);
  for (let i = 0; i < j.length; i++) j[i] = 3 * k[i]! - 2 * d[i]!;
  return { k, d, j };
}
