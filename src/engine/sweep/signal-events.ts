// The bars at which a variant's rule says anything, and what it says: a pair of crosses is found in one scan of its two
// columns, every other rule by its codes.
import { findCrosses, type SignalEvents } from '../research/cross-events.ts';
import { signalCodes } from '../research/signal-codes.ts';
import type { SweepVariant } from './sweep-planner.ts';
import type { SharedColumns } from './shared-columns.ts';

export function findEvents(
  events: SignalEvents,
  variant: SweepVariant,
  { columns, readyBar }: { readonly columns: SharedColumns; readonly readyBar: number },
): void {
  const { cross, rule } = variant;
  if (cross === null) {
    collect(events, signalCodes(columns.prepared(variant), rule), readyBar);
    return;
  }
  const { above, below } = cross;
  const pair = { left: columns.get(cross.left), right: columns.get(cross.right) };
  findCrosses(events, pair, { readyBar, above, below });
}

function collect(events: SignalEvents, codes: Uint8Array, readyBar: number): void {
  events.count = 0;
  for (let i = readyBar; i < codes.length; i++) {
    if (codes[i] !== 0) events.add(i, codes[i]!);
  }
}
