// A whole amount shared by weights, exactly.

/**
 * Whole shares that add up to `total`; each unit that rounding leaves goes to the largest remainder, and of equal ones to the
 * first. Null when all weights are zero. `total` may be negative, weights may not.
 */
export function apportion(total: number, weights: readonly number[]): readonly number[] | null {
  const sum = weights.reduce((all, one) => all + BigInt(one), 0n);
  if (sum <= 0n) return null;
  const whole = BigInt(Math.abs(total));
  const shares = weights.map((weight, place) => {
    const exact = whole * BigInt(weight);
    return { place, share: exact / sum, rest: exact % sum };
  });
  let left = whole - shares.reduce((all, { share }) => all + share, 0n);
  const given = shares.map(({ share }) => share);
  for (const { place } of shares.toSorted((a, b) => (a.rest === b.rest ? 0 : a.rest < b.rest ? 1 : -1))) {
    if (left <= 0n) break;
    given[place]! += 1n;
    left -= 1n;
  }
  return given.map((share) => Math.sign(total) * Number(share) || 0);
}
