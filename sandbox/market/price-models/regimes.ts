// Markets live in regimes that last for weeks to years and follow one another by chance (a Markov chain).

export type Regime<Name extends string> = {
  readonly name: Name;
  /** Drift and volatility per year. */
  readonly drift: number;
  readonly volatility: number;
  readonly meanDays: number;
  /** What follows, with the weight of each. */
  readonly next: Partial<Record<Name, number>>;
};

type RegimeChain<Name extends string> = Readonly<Record<Name, Regime<Name>>>;

export function nextRegime<Name extends string>(
  chain: RegimeChain<Name>,
  current: Regime<Name>,
  uniform: number,
): Regime<Name> {
  const leave = 1 / current.meanDays;
  if (uniform >= leave) return current;
  let rest = uniform / leave;
  const choices = Object.entries(current.next) as [Name, number][];
  for (const [name, weight] of choices) {
    if (rest < weight) return chain[name];
    rest -= weight;
  }
  return chain[choices.at(-1)![0]];
}

export type StockRegime = 'bull' | 'calm' | 'bear' | 'crisis';

export const STOCK_REGIMES: RegimeChain<StockRegime> = {
  bull: {
    name: 'bull',
    drift: 0.15,
    volatility: 0.145,
    meanDays: 260,
    next: { calm: 0.6, bear: 0.32, crisis: 0.08 },
  },
  calm: {
    name: 'calm',
    drift: 0.08,
    volatility: 0.12,
    meanDays: 120,
    next: { bull: 0.65, bear: 0.3, crisis: 0.05 },
  },
  bear: {
    name: 'bear',
    drift: -0.16,
    volatility: 0.24,
    meanDays: 80,
    next: { bull: 0.5, calm: 0.25, crisis: 0.25 },
  },
  crisis: { name: 'crisis', drift: -0.7, volatility: 0.44, meanDays: 25, next: { bull: 0.6, bear: 0.4 } },
};

export type CoinRegime = 'mania' | 'quiet' | 'winter';

export const COIN_REGIMES: RegimeChain<CoinRegime> = {
  mania: { name: 'mania', drift: 0.8, volatility: 0.6, meanDays: 220, next: { winter: 0.6, quiet: 0.4 } },
  quiet: { name: 'quiet', drift: 0, volatility: 0.38, meanDays: 180, next: { mania: 0.6, winter: 0.4 } },
  winter: { name: 'winter', drift: -0.7, volatility: 0.6, meanDays: 170, next: { quiet: 0.6, mania: 0.4 } },
};
