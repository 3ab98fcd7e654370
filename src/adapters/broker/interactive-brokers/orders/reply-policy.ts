// Which of the vendor's questions about an order we confirm. Decided by message id, never by wording; any id not
// listed is declined, because an unknown warning must not be confirmed with clients' money.
import { decisiveTopic, type QuestionTopic } from '#engine/execution/orders/question-topic.ts';

/** Notices about an order type. Excludes price, size and value limits: they catch input errors. */
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

const TOPICS: ReadonlyMap<string, QuestionTopic> = new Map([
  ['o354', 'market_data'],
  ['o163', 'price'],
  ['o382', 'price'], // more decimals than the instrument's price step
  ['o383', 'size'],
  ['o451', 'value'],
]);

/** What the owner of the connection has chosen. */
export type ReplyTerms = {
  /** Orders without a subscription to the broker's market data: our prices come from elsewhere. */
  readonly withoutMarketData: boolean;
};

export function mayConfirm(messageIds: readonly string[], terms: ReplyTerms): boolean {
  return messageIds.length > 0 && messageIds.every((id) => isConfirmed(id, terms));
}

/** What a declined question is about. */
export function topicOf(messageIds: readonly string[], terms: ReplyTerms): QuestionTopic {
  const open = messageIds.filter((id) => !isConfirmed(id, terms));
  return decisiveTopic(open.map((id) => TOPICS.get(id) ?? 'other'));
}

function isConfirmed(id: string, { withoutMarketData }: ReplyTerms): boolean {
  return CONFIRMED.has(id) || (withoutMarketData && TOPICS.get(id) === 'market_data');
}

/** The most questions in a row that we answer before giving up. */
export const REPLIES_MAX = 8;
