// Several transitions of one deployment, one after the other, as one to be written.
import type { OrderId } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { OrderUpdate } from '../orders/order-record.ts';
import type { EquityMark, StateTransition } from './state-transition.ts';

/** Each begins where the one before it ended. At most one of them withdraws orders. */
export function mergedTransition(chain: readonly [StateTransition, ...StateTransition[]]): StateTransition {
  const [first] = chain;
  const last = chain.at(-1)!;
  const updates = new Map<OrderId, OrderUpdate>();
  for (const { id, update } of chain.flatMap(({ orderUpdates }) => orderUpdates))
    updates.set(id, { ...updates.get(id), ...update });
  const marks = new Map<IsoDate, EquityMark>();
  for (const mark of chain.flatMap(({ equityMarks }) => equityMarks))
    marks.set(mark.date, { ...mark, benchmark: mark.benchmark ?? marks.get(mark.date)?.benchmark ?? null });
  return {
    ...last,
    before: first.before,
    withdrawal: chain.find(({ withdrawal }) => withdrawal !== null)?.withdrawal ?? null,
    orderUpdates: [...updates].map(([id, update]) => ({ id, update })),
    orders: chain.flatMap(({ orders }) => orders),
    postings: chain.flatMap(({ postings }) => postings),
    receipts: chain.flatMap(({ receipts }) => receipts),
    notices: chain.flatMap(({ notices }) => notices),
    equityMarks: [...marks.values()],
  };
}
