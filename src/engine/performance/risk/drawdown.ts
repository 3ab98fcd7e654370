// Drawdown: how far the wealth index, which starts at 1, is below its highest value so far, as a fraction at or below
// zero (Magdon-Ismail & Atiya, Maximum Drawdown, 2004). A first loss counts: the start is a peak.

/** The drawdown after each return. */
export function drawdownSeries(returns: Float64Array): Float64Array {
  const series = new Float64Array(returns.length);
  let wealth = 1;
  let peak = 1;
  for (let i = 0; i < returns.length; i++) {
    wealth *= Number.isNaN(returns[i]!) ? 1 : 1 + returns[i]!;
    if (wealth > peak) peak = wealth;
    series[i] = wealth / peak - 1;
  }
  return series;
}

/** The deepest drawdown: 0 when it only rose, NaN of an empty series. */
export function maxDrawdown(returns: Float64Array): number {
  if (returns.length === 0) return Number.NaN;
  const series = drawdownSeries(returns);
  let deepest = 0;
  for (let i = 0; i < series.length; i++) if (series[i]! < deepest) deepest = series[i]!;
  return deepest;
}

export type DrawdownSpan = {
  readonly depth: number;
  /** Index of the peak in the value series, which is one longer than the returns: 0 is the start. */
  readonly peak: number;
  readonly trough: number;
  /** First index at the peak's height or above again; null until it has recovered. */
  readonly recovered: number | null;
};

/** The deepest drawdown with its dates, or null when there was none. Of two equals the earlier one. */
export function deepestDrawdown(returns: Float64Array): DrawdownSpan | null {
  const series = drawdownSeries(returns);
  let trough = -1;
  for (let i = 0; i < series.length; i++) {
    if (series[i]! < (trough === -1 ? 0 : series[trough]!)) trough = i;
  }
  if (trough === -1) return null;
  let peak = trough;
  while (peak > 0 && series[peak - 1]! < 0) peak--;
  let recovered = trough;
  while (recovered < series.length && series[recovered]! < 0) recovered++;
  return {
    depth: series[trough]!,
    peak,
    trough: trough + 1,
    recovered: recovered === series.length ? null : recovered + 1,
  };
}

/** The deepest fall of a curve from its highest point so far, as a fraction of that point; 0 when it only rose. */
export function deepestFall(curve: Float64Array): number {
  let peak = Number.NEGATIVE_INFINITY;
  let deepest = 0;
  let floor = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < curve.length; i++) {
    const value = curve[i]!;
    // Divides only where a new depth is reached.
    if (value > peak) {
      peak = value;
      floor = peak * (1 - deepest);
    } else if (value < floor) {
      deepest = (peak - value) / peak;
      floor = peak * (1 - deepest);
    }
  }
  return deepest;
}
