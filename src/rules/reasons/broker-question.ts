// What a broker asks before it takes an order, what its owner may choose, and what support does, for each topic.
import type { QuestionTopic } from '#engine/execution/orders/question-topic.ts';

type QuestionText = {
  /** The end of "The broker asks …". */
  readonly about: string;
  /** What the owner may choose: a whole sentence, or several. */
  readonly choice: string;
  /** What support does, as an incident says it. */
  readonly support: string;
};

export const QUESTIONS: { readonly [Topic in QuestionTopic]: QuestionText } = {
  market_data: {
    about: 'whether to trade without a subscription to its market data',
    choice:
      'You decide: allow it under Account, Brokers, or subscribe at your broker. Our prices do not come from your broker.',
    support:
      'Ask the client to allow trading without the subscription under Account, Brokers, or to subscribe at the broker. Never choose for them.',
  },
  price: {
    about: 'whether a price this far from the market is meant',
    choice:
      'We never confirm that, because it catches errors. You can change the limit in the order settings of your account at the broker.',
    support:
      'Compare the price of the order with the market. The client can change the limit in the order settings at the broker.',
  },
  size: {
    about: 'whether an order above the size limit of the account is meant',
    choice:
      'We never confirm that, because it catches errors. You can raise the limit in the order settings of your account at the broker.',
    support:
      'Compare the size of the order with the deployment. The client can raise the limit in the order settings at the broker.',
  },
  value: {
    about: 'whether an order above the value limit of the account is meant',
    choice:
      'We never confirm that, because it catches errors. You can raise the limit in the order settings of your account at the broker.',
    support:
      'Compare the value of the order with the deployment. The client can raise the limit in the order settings at the broker.',
  },
  other: {
    about: 'for a confirmation that we do not give',
    choice: 'Our support looks at the question. You can ask your broker what it means for your account.',
    support: 'Read the question below, and give it to engineering if it is new.',
  },
};
