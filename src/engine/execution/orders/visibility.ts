// Whether a broker shows an order. Brokers list only what was sent in the current brokerage session, so an order can work
// unseen: visibility is a fact of its own beside the status, and none of its values ends an order.

export const VISIBILITIES = ['never_shown', 'shown', 'shown_earlier'] as const;
/**
 * never_shown: no answer and no list has shown it yet. shown: the broker accepted it or listed it, and the last complete
 * list still has it. shown_earlier: lists had it and no longer do; it may work all the same.
 */
export type Visibility = (typeof VISIBILITIES)[number];

/** After a complete list of the account's orders. */
export function visibilityAfter(before: Visibility, isListed: boolean): Visibility {
  if (isListed) return 'shown';
  return before === 'shown' ? 'shown_earlier' : before;
}
