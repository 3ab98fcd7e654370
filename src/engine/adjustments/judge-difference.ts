// Whether a difference between broker and books is still the one that the approved adjustment was for.
import type { Instant } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';

/** As recorded. Quantities are signed. */
export type WrittenDifference = {
  readonly kind: 'unexplained' | 'external_trade' | 'shortfall';
  readonly external: Quantity;
  /** What the books of deployments must add to close it. */
  readonly units: Quantity;
  /** The time of the latest manual trade. */
  readonly tradedAt: Instant | null;
};

/** What an account holds of one instrument at this moment. */
export type AccountPosition = {
  readonly broker: Quantity;
  /** Of all our deployments together. */
  readonly ours: Quantity;
  readonly external: Quantity;
  readonly externalPosition: { readonly units: Quantity; readonly at: Instant | null } | null;
  /** Whether the books include the end of the last session, as the broker does. */
  readonly isProcessed: boolean;
};

/**
 * The gap between books and broker, because further trades move both; or the total of external trades, with no
 * unexplained difference besides. `units` is what the adjustment books. Null means unknown.
 */
export function judgeDifference(
  written: WrittenDifference | null,
  account: AccountPosition | null,
  units: Quantity,
): 'unchanged' | 'waits' | 'changed' {
  if (account === null || !account.isProcessed) return 'waits';
  const gap = account.broker - account.ours - account.external;
  if (written?.kind === 'unexplained') return gap === written.units ? 'unchanged' : 'waits';
  if (written?.kind !== 'external_trade' || gap !== 0 || isTradedSince(written, account)) return 'waits';
  // What deployments have closed since cannot be given up any more.
  return Math.abs(units) <= Math.abs(account.externalPosition?.units ?? 0) ? 'unchanged' : 'changed';
}

/** Units bought back and sold again are a new sale, even when the quantity is the same. */
function isTradedSince(written: WrittenDifference, { external, externalPosition }: AccountPosition): boolean {
  return external !== written.external || written.tradedAt !== (externalPosition?.at ?? null);
}
