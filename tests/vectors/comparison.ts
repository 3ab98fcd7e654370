// One value of an independent library beside ours, and the cases that hold them: what the tests assert and what the
// table prints are the same comparisons.

export type Comparison = {
  readonly what: string;
  readonly theirs: number;
  readonly ours: number;
  readonly difference: number;
  readonly tolerance: number;
};

export type OracleCase = {
  readonly file: string;
  readonly name: string;
  compare(): readonly Comparison[];
};

/** `theirs` is null where there is no value, which ours says as NaN. Where theirs is not finite, ours is the same. */
export function compareValue(value: {
  readonly what: string;
  readonly theirs: number | null;
  readonly ours: number;
  readonly tolerance: number;
}): Comparison {
  const theirs = value.theirs ?? Number.NaN;
  const { what, ours } = value;
  const tolerance = Number.isFinite(theirs) ? value.tolerance : 0;
  return { what, theirs, ours, difference: differenceOf(theirs, ours), tolerance };
}

export function isWithin({ difference, tolerance }: Comparison): boolean {
  return difference <= tolerance;
}

/** The comparison that uses most of its tolerance. */
export function worstOf(comparisons: readonly Comparison[]): Comparison | undefined {
  return comparisons.reduce<Comparison | undefined>(
    (worst, one) => (worst === undefined || useOf(one) >= useOf(worst) ? one : worst),
    undefined,
  );
}

function differenceOf(theirs: number, ours: number): number {
  if (Object.is(theirs, ours) || theirs === ours) return 0;
  const difference = Math.abs(ours - theirs);
  return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
}

function useOf({ difference, tolerance }: Comparison): number {
  return difference === 0 ? 0 : difference / tolerance;
}
