// What simulated people follow: strategies that trade often and against each other, so that orders meet faults.
const LANGUAGE = 'bellwether-strategy/1';

/** The first two hold the same share at opposite times: in one account their orders would meet. */
export const STRATEGIES: readonly object[] = [
  momentum('Follows the rise', 'above'),
  momentum('Follows the fall', 'below'),
  {
    language: LANGUAGE,
    name: 'Coins and shares',
    universe: ['BTCUSD', 'BBB'],
    benchmark: 'BTCUSD',
    schedule: { every: 'day' },
    features: { average: { indicator: 'sma', length: 3 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'average' },
      exitLong: { op: 'below', left: 'close', right: 'average' },
    },
    gross: 0.9,
  },
  {
    language: LANGUAGE,
    name: 'Francs',
    universe: ['USDCHF'],
    benchmark: 'USDCHF',
    schedule: { every: 'day' },
    features: { average: { indicator: 'sma', length: 3 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'average' },
      exitLong: { op: 'below', left: 'close', right: 'average' },
    },
    gross: 0.9,
  },
  {
    language: LANGUAGE,
    name: 'Both ways',
    universe: ['AAA', 'BBB'],
    benchmark: 'AAA',
    schedule: { every: 'day' },
    direction: 'long_short',
    features: { average: { indicator: 'sma', length: 3 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'average' },
      exitLong: { op: 'below', left: 'close', right: 'average' },
      enterShort: { op: 'below', left: 'close', right: 'average' },
      exitShort: { op: 'above', left: 'close', right: 'average' },
    },
    gross: 0.8,
  },
  {
    language: LANGUAGE,
    name: 'Sells what has risen',
    universe: ['BBB'],
    benchmark: 'BBB',
    schedule: { every: 'day' },
    direction: 'long_short',
    features: { average: { indicator: 'sma', length: 4 } },
    rule: {
      type: 'signals',
      enterShort: { op: 'above', left: 'close', right: 'average' },
      exitShort: { op: 'below', left: 'close', right: 'average' },
    },
    gross: 0.6,
  },
];

/** Places in STRATEGIES of those that sell short. */
export const SHORT_SELLERS: readonly number[] = [4, 5];

function momentum(name: string, op: 'above' | 'below'): object {
  const other = op === 'above' ? 'below' : 'above';
  return {
    language: LANGUAGE,
    name,
    universe: ['AAA', 'BBB'],
    benchmark: 'AAA',
    schedule: { every: 'day' },
    features: { average: { indicator: 'sma', length: 4 } },
    rule: {
      type: 'signals',
      enterLong: { op, left: 'close', right: 'average' },
      exitLong: { op: other, left: 'close', right: 'average' },
    },
    gross: 0.95,
  };
}
