// Strategies that change their minds almost daily over coins, which trade every day, so that orders are always under way.
const LANGUAGE = 'bellwether-strategy/1';

export const RESTLESS: readonly object[] = [
  restless('Above its days', ['BTCUSD', 'ETHUSD'], 'above'),
  restless('Below its days', ['BTCUSD', 'ETHUSD'], 'below'),
];

function restless(name: string, universe: readonly string[], op: 'above' | 'below'): object {
  const other = op === 'above' ? 'below' : 'above';
  return {
    language: LANGUAGE,
    name,
    universe,
    benchmark: universe[0],
    schedule: { every: 'day' },
    features: { average: { indicator: 'sma', length: 3 } },
    rule: {
      type: 'signals',
      enterLong: { op, left: 'close', right: 'average' },
      exitLong: { op: other, left: 'close', right: 'average' },
    },
    gross: 0.9,
  };
}
