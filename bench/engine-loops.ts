// Hand-written loops for the same three workloads: each knows its one rule and nothing else. They are the yardstick that
// the engine, which knows every rule, is measured against in the same run.
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Lengths } from './engine-workloads.ts';

export type LoopResult = {
  readonly fills: number;
  readonly trades: number;
  readonly finalEquity: number;
  readonly maxDrawdown: number;
  readonly equity: Float64Array;
};

/** Means of 10 and 20 closes cross: 100 units long from the next open, until they cross back. 0.1% commission. */
export function crossoverLoop({ open, close, length }: BarSeries): LoopResult {
  const equity = new Float64Array(length);
  let cash = 1e8;
  let units = 0;
  let pending = 0;
  let sum10 = 0;
  let sum20 = 0;
  let before = 0;
  let fills = 0;
  let trades = 0;
  let peak = 1e8;
  let deepest = 0;
  let floor = 1e8;
  for (let t = 0; t < length; t++) {
    if (pending !== 0) {
      const price = open[t]!;
      cash -= pending * price + 100 * price * 0.001;
      if (pending < 0) trades++;
      units += pending;
      fills++;
      pending = 0;
    }
    const price = close[t]!;
    sum10 += price;
    sum20 += price;
    if (t >= 10) sum10 -= close[t - 10]!;
    if (t >= 20) sum20 -= close[t - 20]!;
    const value = cash + units * price;
    equity[t] = value;
    if (value > peak) {
      peak = value;
      floor = peak * (1 - deepest);
    } else if (value < floor) {
      deepest = 1 - value / peak;
      floor = value;
    }
    if (t < 19) continue;
    const gap = sum10 / 10 - sum20 / 20;
    if (t > 19) {
      if (before < 0 && gap > 0 && units === 0) pending = 100;
      else if (before > 0 && gap < 0 && units > 0) pending = -100;
    }
    before = gap;
  }
  return { fills, trades, finalEquity: equity[length - 1]!, maxDrawdown: deepest, equity };
}

/** The 50 of all with the highest 126-day return, each with 1.9% of equity, anew every 21 days. 0.1% commission. */
export function rankingLoop(all: readonly BarSeries[]): LoopResult {
  const width = all.length;
  const { length } = all[0]!;
  const equity = new Float64Array(length);
  const units = new Float64Array(width);
  const targets = new Float64Array(width);
  const scores = new Float64Array(width);
  const chosen = new Uint8Array(width);
  const sorted = new Float64Array(width);
  let cash = 1e6;
  let fills = 0;
  let trades = 0;
  let pending = false;
  let peak = 1e6;
  let deepest = 0;
  for (let t = 0; t < length; t++) {
    if (pending) {
      const share = (equity[t - 1]! * 0.95) / 50;
      for (let s = 0; s < width; s++) targets[s] = chosen[s] === 1 ? share / all[s]!.close[t - 1]! : 0;
      for (let s = 0; s < width; s++) {
        const traded = targets[s]! - units[s]!;
        if (traded === 0) continue;
        const price = all[s]!.open[t]!;
        cash -= traded * price + Math.abs(traded) * price * 0.001;
        if (targets[s] === 0) trades++;
        units[s] = targets[s]!;
        fills++;
      }
      pending = false;
    }
    let value = cash;
    for (let s = 0; s < width; s++) if (units[s] !== 0) value += units[s]! * all[s]!.close[t]!;
    equity[t] = value;
    if (value > peak) peak = value;
    else if (1 - value / peak > deepest) deepest = 1 - value / peak;
    if (t < 126 || t % 21 !== 0) continue;
    for (let s = 0; s < width; s++) {
      const { close } = all[s]!;
      scores[s] = close[t]! / close[t - 126]! - 1;
    }
    sorted.set(scores);
    sorted.sort();
    const bound = sorted[width - 50]!;
    for (let s = 0; s < width; s++) chosen[s] = scores[s]! >= bound ? 1 : 0;
    pending = true;
  }
  return { fills, trades, finalEquity: equity[length - 1]!, maxDrawdown: deepest, equity };
}

export type SweepLoopResult = {
  readonly fills: number;
  readonly trades: number;
  /** The sum of all pairs. */
  readonly finalEquity: number;
  /** The worst of all pairs. */
  readonly maxDrawdown: number;
};

/** The crossover of each pair of lengths on the same bars; means computed once for each length. */
export function sweepLoop({ open, close, length }: BarSeries, pairs: readonly Lengths[]): SweepLoopResult {
  const means = new Map<number, Float64Array>();
  const meanOf = (window: number) => {
    const known = means.get(window) ?? rollingMean(close, window);
    means.set(window, known);
    return known;
  };
  const result = { fills: 0, trades: 0, finalEquity: 0, maxDrawdown: 0 };
  const one = new Float64Array(4);
  for (const { fast, slow } of pairs) {
    crossPair({ open, close, length, fast: meanOf(fast), slow: meanOf(slow), first: slow }, one);
    result.fills += one[0]!;
    result.trades += one[1]!;
    result.finalEquity += one[2]!;
    result.maxDrawdown = Math.max(result.maxDrawdown, one[3]!);
  }
  return result;
}

type Pair = Pick<BarSeries, 'open' | 'close' | 'length'> & {
  readonly fast: Float64Array;
  readonly slow: Float64Array;
  readonly first: number;
};

/** One loop while flat and one while long: fills, trades, final equity and drawdown into `result`. */
function crossPair({ open, close, length, fast, slow, first }: Pair, result: Float64Array): void {
  let cash = 1e6;
  let fills = 0;
  let trades = 0;
  let peak = 1e6;
  let deepest = 0;
  let floor = peak;
  let value = cash;
  let before = fast[first - 1]! - slow[first - 1]!;
  let t = first;
  while (t < length) {
    let gap = 0;
    for (; t < length; t++) {
      gap = fast[t]! - slow[t]!;
      if (before < 0 && gap > 0) break;
      before = gap;
    }
    if (t + 1 >= length) break;
    before = gap;
    const paid = open[++t]!;
    cash -= 100 * paid + 100 * paid * 0.001;
    fills++;
    for (; t < length; t++) {
      value = cash + 100 * close[t]!;
      if (value > peak) {
        peak = value;
        floor = peak * (1 - deepest);
      } else if (value < floor) {
        deepest = 1 - value / peak;
        floor = value;
      }
      gap = fast[t]! - slow[t]!;
      if (before > 0 && gap < 0) break;
      before = gap;
    }
    if (t + 1 >= length) break;
    before = gap;
    const got = open[++t]!;
    cash += 100 * got - 100 * got * 0.001;
    value = cash;
    if (value < floor) {
      deepest = 1 - value / peak;
      floor = value;
    }
    fills++;
    trades++;
  }
  result[0] = fills;
  result[1] = trades;
  result[2] = value;
  result[3] = deepest;
}

function rollingMean(values: Float64Array, window: number): Float64Array {
  const means = new Float64Array(values.length);
  let sum = 0;
  for (let t = 0; t < values.length; t++) {
    sum += values[t]!;
    if (t >= window) sum -= values[t - window]!;
    if (t >= window - 1) means[t] = sum / window;
  }
  return means;
}
