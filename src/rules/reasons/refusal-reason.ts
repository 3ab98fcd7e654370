// Why an order was not made, or not in full, as its owner reads it. One sentence for each refusal code of the engine.
import type { Refusal } from '#engine/order/order.ts';
import { longDate } from '../long-date.ts';

/** A whole sentence without the instrument's name, which is shown next to it. */
export function refusalReason(refusal: Refusal): string {
  switch (refusal.code) {
    case 'not_active':
      return 'Trading is not active.';
    case 'exits_only':
      return 'The deployment is closing its positions.';
    case 'frozen':
      return 'The drawdown limit was reached: no new positions are opened.';
    case 'below_record':
      return 'Its returns are worse than its published record, and you chose to open nothing new until you acknowledge that.';
    case 'halved':
      return 'Half of what the strategy asks for: its returns are worse than its published record, and so you chose.';
    case 'max_allocation':
      return `Your ${refusal.limitPercent}% limit made this position smaller: the strategy wanted ${refusal.askedPercent}%.`;
    case 'no_cash':
      return 'There is not enough cash for the smallest order.';
    case 'awaiting_sales':
      return 'Waiting for the sales that pay for it.';
    case 'awaiting_close':
      return 'Your broker turns no position round in one order: it is closed first, and opened on the other side after that.';
    case 'awaiting_cover':
      return 'Waiting for the purchase of the shares that cover it.';
    case 'not_covered':
      return `There are not enough shares of ${refusal.underlying} to cover one contract.`;
    case 'below_one_step':
      return `Its share of the equity is below the smallest order, ${refusal.least}.`;
    case 'partial_step':
      return 'The quantity is not a multiple of the trading unit.';
    case 'within_band':
      return 'Already close enough to its target.';
    case 'stopped_out':
      return 'Closed by a stop loss or for margin. It is entered again only after the strategy drops it.';
    case 'no_price':
      return 'There is no price to size the order.';
    case 'not_listed':
      return 'The exchange lists no such contract now.';
    case 'order_working':
      return 'An earlier order is still open.';
    case 'closes_after_order':
      return 'An earlier order is still open; the position closes after that.';
    case 'nothing_to_close':
      return 'There is nothing left to close.';
    case 'exceeds_holding':
      return 'It would sell more than the position.';
    case 'short_not_allowed':
      return 'The strategy would sell short, which this deployment does not allow.';
    case 'not_shortable':
      return 'The broker lends no shares of it now, so it cannot be sold short.';
    case 'not_tradable':
      return 'It cannot be bought now: its market or the broker has taken it out of trading.';
    case 'security_event':
      return securityEventReason(refusal);
    case 'quantity_too_large':
      return 'One position has 90 million units at most.';
    case 'too_late':
      return 'Decided too late to be traded: the bar after it had ended by then. The next decision counts.';
    default:
      return refusal satisfies never;
  }
}

type SecurityEventRefusal = Extract<Refusal, { code: 'security_event' }>;

function securityEventReason({ event, date, until }: SecurityEventRefusal): string {
  const what = EVENTS[event];
  if (date === null || until === null) return `${what} stops it: nothing is ordered until that is clear.`;
  return `${what} on ${longDate(date)} changes what it is: nothing is ordered until ${longDate(until)}.`;
}

const EVENTS: Readonly<Record<SecurityEventRefusal['event'], string>> = {
  merger: 'A merger',
  spin_off: 'A spin-off',
  rights: 'A distribution of rights',
  unit_split: 'A split of its units',
  redemption: 'A redemption',
  removal: 'Its removal from trading',
  reused_ticker: 'Another company under its ticker',
  unread: 'An event that the vendor reports unclearly',
};
