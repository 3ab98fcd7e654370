// Whether a sale would take the shares away that cover a written call of its deployment, while an order to buy that call back is open.
// Without such an order it leaves: shares that must be sold never wait for a call that nobody buys.
import type { Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import { OPTION_MULTIPLIER } from '../../market/option-contract.ts';
import { deliversShares } from '../../risk/cover.ts';
import { isProtective, type OpenOrder } from './open-order.ts';

type Of = {
  readonly openOrders: readonly OpenOrder[];
  readonly record: { readonly holdings: ReadonlyMap<Symbol, { readonly quantity: Quantity }> };
};

export function takesCover(
  order: Pick<OpenOrder, 'decided' | 'filled'>,
  { openOrders, record: { holdings } }: Of,
): boolean {
  const { symbol, side, quantity } = order.decided;
  if (side !== 'sell' || isProtective(order)) return false;
  let covering = 0;
  let isBoughtBack = false;
  for (const [contract, { quantity: held }] of holdings) {
    if (held >= 0 || deliversShares(contract, held) !== symbol) continue;
    covering -= held * OPTION_MULTIPLIER;
    isBoughtBack ||= openOrders.some(({ decided }) => decided.symbol === contract && decided.side === 'buy');
  }
  const left = (holdings.get(symbol)?.quantity ?? 0) - (quantity - order.filled);
  return isBoughtBack && left < covering;
}
