// What a difference between a broker's books and ours prevents while it lasts. Promises to describe what the trader
// does: it sells only what the account holds, and never what is not ours.
import type { BreakKind } from '#engine/execution/reconciliation/reconcile-positions.ts';
import type { Quantity } from '#units/quantity.ts';

type DifferenceEffect = 'exits wait' | 'nothing waits';

/** Quantities are signed: `ours` of all deployments of the account together, `theirs` as the broker reports. */
export function differenceEffect({
  kind,
  ours,
  theirs,
}: {
  readonly kind: BreakKind;
  readonly ours: Quantity;
  readonly theirs: Quantity;
}): DifferenceEffect {
  if (kind !== 'unexplained') return kind === 'external_trade' ? 'exits wait' : 'nothing waits';
  const isShort = (ours > 0 && theirs < ours) || (ours < 0 && theirs > ours);
  return isShort ? 'exits wait' : 'nothing waits';
}

export function differenceText(
  { kind, isWatched }: { readonly kind: BreakKind; readonly isWatched: boolean },
  effect: DifferenceEffect,
): string {
  if (kind === 'external_trade') return EXTERNAL;
  if (kind === 'shortfall') return isWatched ? SHORTFALL : LAST_SEEN;
  return effect === 'exits wait'
    ? 'Exits and stop losses close what the account holds; the rest is on hold. Oversized protective stops are cancelled. Entries continue.'
    : 'Nothing is on hold. We never sell or count units beyond our books.';
}

const EXTERNAL =
  'Our books hold units that the account no longer has. Exits and stop losses close what is left; the rest is on hold until the units are bought back or removed from a deployment’s books. Entries continue.';
const SHORTFALL =
  'The broker cancelled a purchase after a deployment had sold it, so the account has a shortfall. Nothing is on hold. It closes when the owner buys the units back; no adjustment can close it.';
const LAST_SEEN =
  'The account had this shortfall when a deployment last traded there. The trader no longer checks this account. Only the owner can close it, by buying the units back.';
