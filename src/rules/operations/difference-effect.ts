// What a difference between a broker's books and ours keeps from happening while it lasts. Promises to say what the
// trader does: it sells only what is there, and never what is not ours.
import type { Quantity } from '#units/quantity.ts';

/** As the records name them. */
export type DifferenceKind = 'unexplained' | 'by_hand' | 'shortfall';

export type DifferenceEffect = 'exits wait' | 'nothing waits';

/** Quantities are signed: `ours` of all deployments of the account together, `theirs` as the broker says. */
export function differenceEffect({
  kind,
  ours,
  theirs,
}: {
  readonly kind: DifferenceKind;
  readonly ours: Quantity;
  readonly theirs: Quantity;
}): DifferenceEffect {
  if (kind !== 'unexplained') return kind === 'by_hand' ? 'exits wait' : 'nothing waits';
  const isShort = (ours > 0 && theirs < ours) || (ours < 0 && theirs > ours);
  return isShort ? 'exits wait' : 'nothing waits';
}

export function differenceText(
  { kind, isWatched }: { readonly kind: DifferenceKind; readonly isWatched: boolean },
  effect: DifferenceEffect,
): string {
  if (kind === 'by_hand') return BY_HAND;
  if (kind === 'shortfall') return isWatched ? SHORTFALL : LAST_SEEN;
  return effect === 'exits wait'
    ? 'Exits and stop losses close what the account holds, the rest of them waits, and protective stops beyond it are cancelled. Purchases go on.'
    : 'Nothing waits. What the account holds beyond our books is never sold and never counted.';
}

const BY_HAND =
  'Our books hold units that are not there any more. Exits and stop losses close what is left, and the rest of them waits until these are back or the books of a deployment give them up. Purchases go on.';
const SHORTFALL =
  'The account is short of what its broker took back after a deployment had sold it. Nothing waits: what deployments hold there can be sold. It is closed when its owner buys it back, and by no books.';
const LAST_SEEN =
  'The account was short of what its broker took back when a deployment last traded there. The trader does not look at it any more. Only its owner can close it, by buying it back.';
