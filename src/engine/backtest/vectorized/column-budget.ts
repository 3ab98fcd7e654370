// What orders claim and what is left, as numbers: risk/budget.ts for a universe in arrays.
import { ZERO_MICRO } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { commissionOf } from '../../market/costs.ts';
import type { ColumnMarket } from './column-market.ts';

export type ColumnOrder = {
  readonly s: number;
  /** Signed. */
  readonly traded: number;
  /** Whether it is against what is held; that cannot change before it is filled, as nothing else trades it. */
  readonly reduces: boolean;
  readonly limitPrice: number;
};

export type ColumnClaim = { readonly cash: number; readonly exposure: number };

/** `held` is what is held before the order, signed. */
export function claimOf(order: ColumnOrder, held: number, market: ColumnMarket): ColumnClaim {
  const { s, traded, limitPrice } = order;
  const commission = commissionAt(s, traded, { price: limitPrice, market });
  const grown = Math.abs(held + traded) - Math.abs(held);
  const exposure = grown >= 0 ? worthAt(grown, limitPrice) : -worthAt(-grown, limitPrice);
  return {
    cash: (traded > 0 ? worthAt(traded, limitPrice) : 0) + commission,
    exposure: exposure + commission,
  };
}

export function commissionAt(
  s: number,
  traded: number,
  { price, market }: { readonly price: number; readonly market: ColumnMarket },
): number {
  if (traded === 0) return ZERO_MICRO;
  const fill = { quantity: Math.abs(traded) as Quantity, price };
  return commissionOf(fill, market.instruments[s]!, { costs: market.costs, rate: 1 });
}

export function worthAt(quantity: number, price: number): number {
  return roundHalfEven((quantity * price) / 100);
}
