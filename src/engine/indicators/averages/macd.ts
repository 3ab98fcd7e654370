// Moving average convergence-divergence (Appel, 1979): fast EMA minus slow EMA, its own EMA as the signal, and their
// difference as the histogram. Each EMA starts with its own simple mean.
import { ema } from './ema.ts';

export type Macd = {
  readonly macd: Float64Array;
  readonly signal: Float64Array;
  readonly histogram: Float64Array;
};

export type MacdWindows = { readonly fast: number; readonly slow: number; readonly signal: number };

export function macd(values: Float64Array, windows: MacdWindows): Macd {
  const line = difference(ema(values, windows.fast), ema(values, windows.slow));
  const signal = ema(line, windows.signal);
  return { macd: line, signal, histogram: difference(line, signal) };
}

function difference(left: Float64Array, right: Float64Array): Float64Array {
  const result = new Float64Array(left.length);
  for (let i = 0; i < left.length; i++) result[i] = left[i]! - right[i]!;
  return result;
}
