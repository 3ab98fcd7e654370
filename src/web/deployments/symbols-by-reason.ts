import type { TimelineEntry } from '#contract/decisions.ts';

type SymbolsOfReason = { readonly reason: string; readonly symbols: readonly string[] };

/** Each reason once with all that it holds for, in the order in which they were decided. */
export function symbolsByReason(items: TimelineEntry['refused']): readonly SymbolsOfReason[] {
  const groups = new Map<string, string[]>();
  for (const { ticker, reason } of items) {
    const group = groups.get(reason);
    if (group) group.push(ticker);
    else groups.set(reason, [ticker]);
  }
  return [...groups].map(([reason, symbols]) => ({ reason, symbols }));
}
