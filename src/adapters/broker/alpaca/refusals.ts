// Why the vendor refuses an order: by the code of its answer where that says it, or by its words. What is not here means
// nothing by itself. The vendor publishes no list of its errors; each row names what recorded it.
import type { BrokerRefusal } from '#engine/execution/orders/broker-refusal.ts';

type VendorRefusal = {
  readonly refusal: BrokerRefusal;
  /** The number in the answer's `code`. */
  readonly code?: number;
  /** A part of `message`, in any case of its letters. */
  readonly text?: string;
};

export const REFUSALS: readonly VendorRefusal[] = [
  // Source: answers with status 403, recorded by many clients; the rule is in the vendor's guide on user protections.
  { refusal: 'day_trades', code: 40_310_100 },
  { refusal: 'day_trades', text: 'pattern day trading protection' },
  // Source: answers with status 403 that name the other order in `existing_order_id`, and with 422 (Petersoj/alpaca-java#145).
  { refusal: 'opposite_order', text: 'potential wash trade' },
  // Source: kzhdev/alpaca_zorro_plugin#12, status 403.
  { refusal: 'opposite_order', text: 'while a short sell order is open' },
  // Source: the vendor's published answer to POST /v2/orders, status 403. Also of options and of coins.
  { refusal: 'buying_power', text: 'insufficient buying power' },
  { refusal: 'buying_power', text: 'insufficient options buying power' },
  { refusal: 'buying_power', text: 'insufficient balance' },
  // Source: alpacahq/alpaca-trade-api-python#129.
  { refusal: 'quantity_not_held', text: 'insufficient qty available' },
  // Source: alpacahq/alpaca-trade-api-csharp#330, status 403.
  { refusal: 'trading_blocked', text: 'account is not authorized to trade' },
  // Source: Petersoj/alpaca-java#147, status 422.
  { refusal: 'trading_blocked', text: 'orders not allowed for account' },
  // Source: answers with status 403 to accounts with `trade_suspended_by_user`.
  { refusal: 'suspended_by_owner', text: 'rejected by user request' },
  // Source: the vendor's page on common errors, status 403; the rule is in its guide on user protections.
  { refusal: 'closing_only', text: 'restricted to liquidation only' },
  // Source: alpacahq/Alpaca-API#168.
  { refusal: 'closing_only', text: 'set to liquidation only' },
  // Source: answers with status 403, recorded by many clients: one dollar for shares, ten for coins.
  { refusal: 'below_minimum', text: 'minimal amount of order' },
  // Source: answers with status 422: asset "X" is not tradable.
  { refusal: 'not_tradable', text: 'is not tradable' },
  { refusal: 'not_tradable', text: 'is not active' },
  // Source: the vendor's guide on fractional trading, and answers that name the asset.
  { refusal: 'not_fractionable', text: 'is not fractionable' },
  // Source: alpacahq/alpaca-trade-api-js#57, status 403.
  { refusal: 'short_not_allowed', text: 'not allowed to short' },
  // Source: answers with status 422, of an asset and of fractions.
  { refusal: 'short_not_allowed', text: 'cannot be sold short' },
  // Source: the vendor's guide on orders, status 422.
  { refusal: 'price_increment', text: 'minimum pricing criteria' },
];

export function refusalOf(code: unknown, said: string): BrokerRefusal | null {
  const heard = said.toLowerCase();
  const found = REFUSALS.find((one) =>
    one.text === undefined ? one.code === code : heard.includes(one.text),
  );
  return found?.refusal ?? null;
}

/** The codes of answers with status 403 that refuse an order: all others of that status refuse the keys. */
export function refusesOrder(code: unknown): boolean {
  return typeof code === 'number' && code >= 40_310_000 && code < 40_320_000;
}
