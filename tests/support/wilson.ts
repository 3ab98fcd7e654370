/** The 95% interval of a share by Wilson's score (1927). */
export function wilson(hits: number, tries: number): readonly [low: number, high: number] {
  const z = 1.959964;
  const share = hits / tries;
  const spread = z * Math.sqrt((share * (1 - share)) / tries + (z * z) / (4 * tries * tries));
  const middle = share + (z * z) / (2 * tries);
  const scale = 1 + (z * z) / tries;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
