import type { UnreadList, UnreadRow } from '#engine/execution/reconciliation/unread-rows.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';

/** What the lists of a connection could not say, from one look to the next. */
export type UnreadMemory = {
  readonly rows: ReadonlyMap<UnreadList, readonly UnreadRow[]>;
  /** Instruments with a readable row in the list of positions. */
  readonly positioned: ReadonlySet<Symbol>;
  /** What is recorded; null until the first look has recorded it. */
  readonly saved: { readonly key: string; readonly at: WallInstant } | null;
};

export const NO_UNREAD: UnreadMemory = { rows: new Map(), positioned: new Set(), saved: null };
