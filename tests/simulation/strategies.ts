// What simulated people follow: strategies that trade often and against each other, so that orders meet faults.
type Side = 'above' | 'below';

const toTheAverage = (op: Side) => ({ op, left: 'close', right: 'average' });
const long = (when: Side, until: Side) => ({
  enterLong: toTheAverage(when),
  exitLong: toTheAverage(until),
});
const short = (when: Side, until: Side) => ({
  enterShort: toTheAverage(when),
  exitShort: toTheAverage(until),
});

/** The first two hold the same share at opposite times: in one account their orders would meet. */
export const STRATEGIES: readonly object[] = [
  strategy('Follows the rise', ['AAA', 'BBB'], { length: 4, rule: long('above', 'below'), gross: 0.95 }),
  strategy('Follows the fall', ['AAA', 'BBB'], { length: 4, rule: long('below', 'above'), gross: 0.95 }),
  strategy('Coins and shares', ['BTCUSD', 'BBB'], { length: 3, rule: long('above', 'below'), gross: 0.9 }),
  strategy('Francs', ['USDCHF'], { length: 3, rule: long('above', 'below'), gross: 0.9 }),
  strategy('Both ways', ['AAA', 'BBB'], {
    length: 3,
    rule: { ...long('above', 'below'), ...short('below', 'above') },
    gross: 0.8,
    direction: 'long_short',
  }),
  strategy('Sells what has risen', ['BBB'], {
    length: 4,
    rule: short('above', 'below'),
    gross: 0.6,
    direction: 'long_short',
  }),
  strategy('A model decides, or nothing is done', ['AAA', 'BBB'], {
    length: 4,
    rule: decider('hold'),
    gross: 0.8,
  }),
  strategy('A model decides, or all is sold', ['AAA', 'BBB'], {
    length: 4,
    rule: decider('flat'),
    gross: 0.8,
  }),
];

/** Places in STRATEGIES of those that a model decides; worlds without a model do not have them. */
export const DECIDED: readonly number[] = [6, 7];

function decider(withoutAnswer: 'hold' | 'flat'): object {
  return {
    type: 'decider',
    asks: 'language_model',
    model: 'stand-in',
    knowledgeUntil: '2010-01-01',
    instructions: `Hold what rises. Without an answer: ${withoutAnswer}.`,
    samples: 2,
    withinSeconds: 60,
    dollarsPerMonth: 50,
    withoutAnswer,
  };
}

/** Whether the strategy at this place trades nothing else. */
export function isOfShares(place: number): boolean {
  const { universe } = STRATEGIES[place] as { readonly universe: readonly string[] };
  return universe.every((symbol) => symbol === 'AAA' || symbol === 'BBB');
}

/** Places in STRATEGIES of those that sell short. */
export const SHORT_SELLERS: readonly number[] = [4, 5];

type Traits = {
  /** Of the average, in days. */
  readonly length: number;
  readonly rule: object;
  readonly gross: number;
  readonly direction?: 'long_short';
};

function strategy(name: string, universe: readonly string[], { length, rule, ...traits }: Traits): object {
  return {
    language: 'bellwether-strategy/1',
    name,
    universe,
    benchmark: universe[0],
    schedule: { every: 'day' },
    features: { average: { indicator: 'sma', length } },
    rule: { type: 'signals', ...rule },
    ...traits,
  };
}
