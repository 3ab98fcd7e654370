// Why an order was placed, as the trade list says it.
import type { OrderPurpose, Side } from '#engine/order/order.ts';
import { priceText } from '../price-text.ts';

type PlacedOrder = {
  readonly purpose: OrderPurpose;
  readonly side: Side;
  readonly limitPrice: number;
  /** Of what answers to a stop loss; else null. */
  readonly stopLossPercentage: number | null;
};

export function orderPurposeText({ purpose, side, limitPrice, stopLossPercentage }: PlacedOrder): string {
  switch (purpose) {
    case 'rebalance':
      return `Follows the strategy: ${side === 'buy' ? 'buys' : 'sells'} at ${priceText(limitPrice)} or ${side === 'buy' ? 'less' : 'more'}.`;
    case 'stop_loss':
      return `The stop loss${ofLimit(stopLossPercentage)} was reached: closes the position.`;
    case 'margin_call':
      return 'The value no longer covers the required margin: closes this position.';
    case 'liquidation':
      return 'The deployment ends: closes the position.';
    case 'protective':
      return `Protective stop at your broker, at ${priceText(limitPrice)}: beyond your stop loss${ofLimit(stopLossPercentage)}, in case nothing here can act on it.`;
    default:
      return purpose satisfies never;
  }
}

function ofLimit(percent: number | null): string {
  return percent === null ? '' : ` of ${percent}%`;
}
