// Whether a difference between broker and books is still the one that an adjustment was agreed on for.
import type { Instant } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';

/** As it was written down. Quantities are signed. */
export type WrittenDifference = {
  readonly kind: 'unexplained' | 'external_trade' | 'shortfall';
  readonly external: Quantity;
  /** What the books of deployments take in to close it. */
  readonly units: Quantity;
  /** When the last of the manual trades was. */
  readonly tradedAt: Instant | null;
};

/** What an account holds of one instrument at this moment. */
export type AccountPosition = {
  readonly broker: Quantity;
  /** Of all our deployments together. */
  readonly ours: Quantity;
  readonly external: Quantity;
  readonly externalPosition: { readonly units: Quantity; readonly at: Instant | null } | null;
  /** Whether the books count with the end of the last session, as the broker does. */
  readonly isProcessed: boolean;
};

/**
 * By how much books and broker differ, for what else is traded moves both; or what others have traded in all, with nothing
 * beside it that no trade explains. `units` is what the adjustment books. Null stands for what is not known.
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
  // What deployments closed since is nobody's to give up any more.
  return Math.abs(units) <= Math.abs(account.externalPosition?.units ?? 0) ? 'unchanged' : 'changed';
}

/** Bought back and sold again it is another sale, though as many are gone. */
function isTradedSince(written: WrittenDifference, { external, externalPosition }: AccountPosition): boolean {
  return external !== written.external || written.tradedAt !== (externalPosition?.at ?? null);
}
