// A delivery as the two executions that books and trade logs show: the contracts leave at what they were entered for,
// and the shares change hands at the strike with that premium in their price. The premium so becomes part of what the
// shares cost or brought, and the option itself realises nothing (Internal Revenue Service, Publication 550, Puts and
// Calls). Without commission: Interactive Brokers charges none for exercise and assignment.
import type { Symbol } from '#units/identifiers.ts';
import { fromMicro, type Micro } from '#units/money.ts';
import { fromQuantity, type Quantity, quantity } from '#units/quantity.ts';
import type { Delivery } from '../position-event.ts';

export type DeliveryLeg = {
  readonly symbol: Symbol;
  readonly side: 'buy' | 'sell';
  /** Positive. */
  readonly quantity: Quantity;
  readonly price: number;
};

/** `cost` is the entry cost of the contracts, signed like them. The contracts first, then the shares. */
export function deliveryLegs(event: Delivery, cost: Micro): readonly [DeliveryLeg, DeliveryLeg] {
  const { symbol, contracts, underlying, shares, strike } = event;
  const premium = fromMicro(cost) / fromQuantity(shares);
  return [
    {
      symbol,
      side: contracts > 0 ? 'sell' : 'buy',
      quantity: quantity(Math.abs(contracts)),
      price: Math.abs(premium),
    },
    {
      symbol: underlying,
      side: shares > 0 ? 'buy' : 'sell',
      quantity: quantity(Math.abs(shares)),
      price: strike + premium,
    },
  ];
}
