// Why a broker refuses an order, as its owner reads it, and what they may do.
import type { BrokerRefusal } from '#engine/execution/orders/broker-refusal.ts';

/** The end of "The broker rejected it: …", and a further sentence. */
export const BROKER_REFUSAL_TEXTS: {
  readonly [Code in BrokerRefusal]: readonly [why: string, choice: string];
} = {
  buying_power: [
    'the account has too little buying power for it',
    'Pay in, or lower the amount of a deployment in this account.',
  ],
  opposite_order: [
    'it could trade with another order of the account on the other side, which exchanges forbid',
    'Cancel your own orders in this instrument at the broker, or let them end; ours are decided again.',
  ],
  day_trades: [
    'the account has made as many day trades as the rules for small accounts allow',
    'It is decided again on the next trading day. More day trades need 25,000 dollars in the account.',
  ],
  trading_blocked: [
    'the account may not trade',
    'Ask your broker why it has blocked the account. Pause the deployment until that is settled.',
  ],
  suspended_by_owner: [
    'you have suspended trading in the settings of your account there',
    'Allow it there again, or pause the deployment.',
  ],
  closing_only: [
    'the account may only close positions now',
    'Ask your broker what it requires. Exits still leave; pause the deployment until it may open positions again.',
  ],
  below_minimum: [
    'it is worth less than the smallest order there',
    'Raise the amount of the deployment; what is left of a position this small can be closed at the broker.',
  ],
  not_tradable: [
    'it does not trade this instrument now',
    'It may be halted or removed from the exchange. The order is decided again once the broker trades it.',
  ],
  not_fractionable: [
    'it trades this instrument in whole units only',
    'Our support changes the size of its units in the catalogue.',
  ],
  short_not_allowed: [
    'the account may not sell this instrument short',
    'Allow short selling in your account at the broker, or choose a strategy that does not sell short.',
  ],
  quantity_not_held: [
    'other orders at the broker already take the units that it would sell',
    'Cancel your own orders in this instrument there; ours are decided again.',
  ],
  price_increment: [
    'its price has too many decimals for the exchange',
    'Our support changes the decimals of this instrument in the catalogue.',
  ],
};
