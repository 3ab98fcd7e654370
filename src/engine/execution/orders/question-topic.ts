// What a broker asks before it takes an order. The adapter reads it from the broker's ids of questions, never from words.

/**
 * market_data: whether to trade without a subscription to the broker's market data; the owner of the connection decides.
 * price, size, value: whether an order beyond a limit of the account is meant; other: anything else. These are declined.
 */
export const QUESTION_TOPICS = ['market_data', 'price', 'size', 'value', 'other'] as const;
export type QuestionTopic = (typeof QUESTION_TOPICS)[number];

/** Of several questions in one the first that no setting of ours would answer. */
export function decisiveTopic(topics: readonly QuestionTopic[]): QuestionTopic {
  return topics.find((topic) => topic !== 'market_data') ?? topics[0] ?? 'other';
}
