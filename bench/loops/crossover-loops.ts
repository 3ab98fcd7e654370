// Hand-written loops over two crossing means: the yardstick for the engine, which supports every rule, measured in the
// same run.
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Lengths } from '../engine-workloads.ts';
import { CrossoverBook, type CrossoverTerms } from './crossover-book.ts';

/** Long while the fast mean is above the slow one: both sums are kept from bar to bar. */
export function crossoverLoop(
  bars: BarSeries,
  { fast, slow }: Lengths,
  terms: CrossoverTerms,
): CrossoverBook {
  const { close, length } = bars;
  const book = new CrossoverBook(bars, terms);
  let sumFast = 0;
  let sumSlow = 0;
  let before = 0;
  for (let t = 0; t < length; t++) {
    if (book.ordered !== 0) book.fill(t);
    book.close(t);
    const price = close[t]!;
    sumFast += price;
    sumSlow += price;
    if (t >= fast) sumFast -= close[t - fast]!;
    if (t >= slow) sumSlow -= close[t - slow]!;
    if (t < slow - 1) continue;
    const gap = sumFast / fast - sumSlow / slow;
    if (t >= slow) follow(book, t, before, gap);
    before = gap;
  }
  return book;
}

/** The same for each pair of lengths; each mean is computed once. */
export function sweepLoop(
  bars: BarSeries,
  pairs: readonly Lengths[],
  terms: CrossoverTerms,
): readonly CrossoverBook[] {
  const means = new Map<number, Float64Array>();
  const meanOf = (window: number) => {
    const known = means.get(window) ?? rollingMean(bars.close, window);
    means.set(window, known);
    return known;
  };
  return pairs.map(({ fast, slow }) =>
    crossPair(bars, { fast: meanOf(fast), slow: meanOf(slow), from: slow }, terms),
  );
}

type Means = { readonly fast: Float64Array; readonly slow: Float64Array; readonly from: number };

function crossPair(bars: BarSeries, { fast, slow, from }: Means, terms: CrossoverTerms): CrossoverBook {
  const book = new CrossoverBook(bars, terms);
  let before = fast[from - 1]! - slow[from - 1]!;
  for (let t = 0; t < bars.length; t++) {
    if (book.ordered !== 0) book.fill(t);
    book.close(t);
    if (t < from) continue;
    const gap = fast[t]! - slow[t]!;
    follow(book, t, before, gap);
    before = gap;
  }
  return book;
}

function follow(book: CrossoverBook, t: number, before: number, gap: number): void {
  if (before < 0 && gap > 0) {
    if (book.held === 0 && !book.stopped) book.enter(t);
  } else if (before > 0 && gap < 0) {
    book.stopped = false;
    if (book.held > 0 && book.ordered === 0) book.leave();
  }
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
