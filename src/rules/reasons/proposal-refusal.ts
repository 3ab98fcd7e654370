// Why staff cannot decide an incident as they propose, as they read it.
import type { IgnoreRefusal } from '#engine/execution/reconciliation/unread-rows.ts';

export type ProposalRefusal =
  | IgnoreRefusal
  | 'changed'
  | 'gone'
  | 'own_work'
  | 'open_already'
  | 'date_past'
  | 'date_far'
  | 'tried_soon'
  | 'word_missing'
  | 'word_needless';

const SENTENCES: { readonly [Code in ProposalRefusal]: string } = {
  cut: 'The row is too long to be kept in full, so nobody can say that they have seen all of it. Send its form to engineering.',
  own_order:
    'The row names an order of ours. Resolve the order, or adjust the books: once its fill is booked or the order has ended, the row can be ignored.',
  own_position:
    'The row is about a position that our deployments hold. It can be ignored once their books no longer hold it.',
  open_order:
    'An order of ours in this instrument may be the one of this row: its ID at the broker is not known yet, or the row has none. Resolve that order first.',
  changed: 'It has changed since you looked at it. Read it again.',
  gone: 'There is nothing left to decide.',
  own_work: 'You wrote it. A colleague must approve it.',
  open_already: 'There is already an open proposal for this. Decide that one first.',
  date_past: 'Choose a date after today.',
  date_far: 'Choose a date within the next 31 days.',
  tried_soon: 'This stop was never refused, only not sent: it is tried again within five minutes by itself.',
  word_missing: 'Write what you looked at before you approve it: at least three letters.',
  word_needless: 'This proposal is approved without a reason.',
};

export function proposalRefusal(code: ProposalRefusal): string {
  return SENTENCES[code];
}
