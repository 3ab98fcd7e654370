// The deepest fall of a curve from its highest point so far, as a fraction of that point.

/** 0 when it only rose. Divides only where a new depth is reached. */
export function deepestFall(curve: Float64Array): number {
  let peak = Number.NEGATIVE_INFINITY;
  let deepest = 0;
  let floor = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < curve.length; i++) {
    const value = curve[i]!;
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
