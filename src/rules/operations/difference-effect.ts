// What a difference between a broker's books and ours keeps from happening while it lasts. Promises to say what the
// trader does: it sells only what is there, and never what is not ours.
import type { Quantity } from '#units/quantity.ts';

export type DifferenceEffect = 'exits wait' | 'nothing waits';

/** Quantities are signed: `ours` of all deployments of the account together, `theirs` as the broker says. */
export function differenceEffect({
  ours,
  theirs,
}: {
  readonly ours: Quantity;
  readonly theirs: Quantity;
}): DifferenceEffect {
  const isShort = (ours > 0 && theirs < ours) || (ours < 0 && theirs > ours);
  return isShort ? 'exits wait' : 'nothing waits';
}

export function differenceText(effect: DifferenceEffect): string {
  return effect === 'exits wait'
    ? 'Exits and stop losses close what the account holds, the rest of them waits, and protective stops beyond it are cancelled. Purchases go on.'
    : 'Nothing waits. What the account holds beyond our books is never sold and never counted.';
}
