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
];

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
