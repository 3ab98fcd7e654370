// The level of options trading that American brokers ask for an order.
import type { Quantity } from '#units/quantity.ts';
import type { Side } from '../order/order.ts';

export type OptionOrder = { readonly side: Side; readonly held: Quantity };

/** Of one leg. 1: an option is written, covered by shares or cash, or bought back. 2: one is bought to be held. */
export function optionLevel({ side, held }: OptionOrder): number {
  return side === 'buy' && held >= 0 ? 2 : 1;
}
