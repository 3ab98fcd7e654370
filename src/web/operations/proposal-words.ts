import type { CorrectionProposal } from '#contract/corrections.ts';
import { showPrice, showQuantity } from '../kit/show-figure.ts';

type Proposed = Pick<CorrectionProposal, 'closes_as' | 'symbol' | 'replaces' | 'quantity' | 'price'>;

/** What would count from then on: '15 AAA are taken out at 100.00 each'. */
export function proposalWords({ closes_as: closesAs, symbol, replaces, quantity, price }: Proposed): string {
  if (closesAs === 'external') return externalWords(quantity, symbol);
  const units = showQuantity(Math.abs(quantity));
  if (replaces === null) {
    const way = quantity > 0 ? 'added' : 'taken out';
    return `${units} ${symbol} are ${way} at ${showPrice(price)} each`;
  }
  const counted = `${showQuantity(Math.abs(replaces.quantity))} ${symbol} that were booked as ${verb(replaces.quantity)} at ${showPrice(replaces.price)}`;
  if (quantity === 0) return `${counted} count no more`;
  return `${counted} count as ${units} ${verb(quantity)} at ${showPrice(price)}`;
}

function externalWords(quantity: number, symbol: string): string {
  if (quantity === 0) return `what was told before counts on, with no ${symbol} more or fewer`;
  const way = quantity > 0 ? 'more' : 'fewer';
  return `${showQuantity(Math.abs(quantity))} ${symbol} ${way} count as traded by others`;
}

const verb = (units: number) => (units > 0 ? 'bought' : 'sold');
