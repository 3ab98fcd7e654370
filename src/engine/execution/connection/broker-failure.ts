// Why a broker did not give what was asked of it.

/**
 * unreachable: no connection, a timeout, or the broker's 5xx. Try later.
 * unauthorized: the permission is gone or was never there: the person must sign in again.
 * no_session: signed in, but the trading session could not be established, or another place holds it.
 * rate_limited: the broker, or our own budget, says to wait.
 * refused: the broker understood and said no.
 * unreadable: an answer came that we cannot read; nothing may be concluded from it.
 */
export const BROKER_FAILURE_CODES = [
  'unreachable',
  'unauthorized',
  'no_session',
  'rate_limited',
  'refused',
  'unreadable',
] as const;
export type BrokerFailureCode = (typeof BROKER_FAILURE_CODES)[number];
