// Which of the vendor's questions about an order we confirm. Decided by message id, never by wording; any id not
// listed is declined, because an unknown warning must not be confirmed with clients' money.

/** Notices about an order type. Excludes price, size and value limits (o163, o382, o383, o451): they catch input errors. */
const CONFIRMED: ReadonlySet<string> = new Set([
  'o10151', // a market order may fill far from the last price
  'o10331', // a stop order becomes a market order
  'o10152', // risk of stop orders
  'o10153', // the vendor may cap the price
  'o403', // the order may fill at once
  'o10164', // cash quantity is an estimate
  'o10223', // cash quantity is not supported everywhere
  'o2165', // fractional quantities
]);

export function mayConfirm(messageIds: readonly string[]): boolean {
  return messageIds.length > 0 && messageIds.every((id) => CONFIRMED.has(id));
}

/** The most questions in a row that we answer before giving up. */
export const REPLIES_MAX = 8;
