// Why a broker refuses an order, where its answer says so in a code or in words that it has published or that were recorded.
// The adapter reads it; the sentences are in rules/reasons. No decision depends on it.

/**
 * opposite_order: it could trade with an order of the account on the other side. day_trades: one more round trip within a day
 * is not allowed to the account. trading_blocked: the broker lets the account trade nothing. suspended_by_owner: its owner has
 * switched trading off there. closing_only: the account may reduce positions and open none. below_minimum: it is worth less than
 * the smallest order. quantity_not_held: orders at the broker already take the units that it would sell.
 */
export const BROKER_REFUSALS = [
  'buying_power',
  'opposite_order',
  'day_trades',
  'trading_blocked',
  'suspended_by_owner',
  'closing_only',
  'below_minimum',
  'not_tradable',
  'not_fractionable',
  'short_not_allowed',
  'quantity_not_held',
  'price_increment',
] as const;
export type BrokerRefusal = (typeof BROKER_REFUSALS)[number];
