// What is different about coins at the vendor: their names, their fees, and how exactly they are counted.
import type { ExpectedFee } from '#engine/execution/reconciliation/order-report.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Side } from '#engine/order/order.ts';
import { notional, scale } from '#units/money.ts';
import { parseQuantity, type Quantity, quantity } from '#units/quantity.ts';
import { Unreadable } from '../answer-fields.ts';

/** BTC/USD for orders. Positions and activities say BTCUSD. */
export function pairOf({ unitCurrency, currency }: Pick<Instrument, 'unitCurrency' | 'currency'>): string {
  return `${unitCurrency}/${currency}`;
}

/** The name without what only some of the vendor's answers have. */
export function plainName(name: string): string {
  return name.replace('/', '');
}

/** What a purchase keeps back in coins and a sale in dollars, at most: nobody pays more than the first tier. */
export function expectedCoinFee(side: Side, units: Quantity, price: number): ExpectedFee {
  if (side === 'sell') return { commission: scale(notional(units, price), FEE_RATE), units: null };
  const coins = quantity(Math.ceil(units * FEE_RATE));
  return { commission: notional(coins, price), units: coins };
}

/** Coins beyond the eighth decimal are not counted, as no order can have them. */
export function coinsHeld(text: string): Quantity {
  const [whole = '', fraction = ''] = text.trim().split('.');
  const found = fraction === '' ? whole : `${whole}.${fraction.slice(0, 8)}`;
  if (!/^\d+(\.\d+)?$/.test(found)) throw new Unreadable(`${text} coins`, 'quantity');
  return parseQuantity(found);
}

/** The vendor's guide on crypto fees: 25 basis points up to half a million dollars in thirty days. */
const FEE_RATE = 0.0025;
