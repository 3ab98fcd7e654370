// Why an order was not made, or not in full, as its owner reads it. One sentence for each refusal code of the engine.
import type { Refusal } from '#engine/order/order.ts';

/** A whole sentence without the instrument's name, which stands beside it. */
export function refusalReason(refusal: Refusal): string {
  switch (refusal.code) {
    case 'not_active':
      return 'Trading is not active.';
    case 'exits_only':
      return 'Positions are only being closed.';
    case 'frozen':
      return 'The drawdown limit was reached, so nothing new is bought.';
    case 'max_allocation':
      return `The limit of ${refusal.limitPercent}% of equity cuts the ${refusal.askedPercent}% that the strategy asks for.`;
    case 'no_cash':
      return 'The available cash does not buy one unit of trading.';
    case 'awaiting_sales':
      return 'It is ordered as soon as the sales that pay for it are done.';
    case 'awaiting_cover':
      return 'It is ordered as soon as the shares that cover it are bought.';
    case 'not_covered':
      return `There are not enough shares of ${refusal.underlying} to cover one contract.`;
    case 'below_one_step':
      return `Its share of the equity does not reach the smallest amount, ${refusal.least}.`;
    case 'partial_step':
      return 'The quantity is not a whole number of trading units.';
    case 'within_band':
      return 'It is close enough to its target.';
    case 'stopped_out':
      return 'It was closed by its stop loss or for margin; it waits until the strategy lets it go.';
    case 'no_price':
      return 'There is no price to size an order with.';
    case 'order_working':
      return 'An earlier order is still open.';
    case 'closes_after_order':
      return 'An earlier order is still open; it is closed after that one has ended.';
    case 'nothing_to_close':
      return 'Nothing is left to close.';
    case 'exceeds_holding':
      return 'It would sell more than is held.';
    case 'short_not_allowed':
      return 'The strategy would sell short, which this deployment does not allow.';
    default:
      return refusal satisfies never;
  }
}
