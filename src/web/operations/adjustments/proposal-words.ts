import type { AdjustmentProposal } from '#contract/operations/adjustments.ts';
import { showPrice, showQuantity } from '../../kit/figure/show-figure.ts';

type Proposed = Pick<AdjustmentProposal, 'closes_as' | 'symbol' | 'replaces' | 'quantity' | 'price'>;

/** What would count from then on: 'remove 15 AAA at 100.00 each'. */
export function proposalWords({ closes_as: closesAs, symbol, replaces, quantity, price }: Proposed): string {
  if (closesAs === 'external') return externalWords(quantity, symbol);
  const units = showQuantity(Math.abs(quantity));
  if (replaces === null) {
    const way = quantity > 0 ? 'add' : 'remove';
    return `${way} ${units} ${symbol} at ${showPrice(price)} each`;
  }
  const counted = `${showQuantity(Math.abs(replaces.quantity))} ${symbol} ${verb(replaces.quantity)} at ${showPrice(replaces.price)}`;
  if (quantity === 0) return `reverse ${counted}`;
  return `replace ${counted} with ${units} ${verb(quantity)} at ${showPrice(price)}`;
}

function externalWords(quantity: number, symbol: string): string {
  if (quantity === 0) return `keep the earlier fill; no change in ${symbol}`;
  return `book ${showQuantity(Math.abs(quantity))} ${symbol} as ${quantity > 0 ? 'bought' : 'sold'} externally`;
}

const verb = (units: number) => (units > 0 ? 'bought' : 'sold');
