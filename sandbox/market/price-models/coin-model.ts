// Cryptocurrencies: a common tide of mania and winter, each coin's own way on top, jumps, and a long-run trend that
// the price returns to over a year or two, so that every seed keeps them plausible.
import type { DayModel, DayShape } from './day-shape.ts';
import { draws } from './random.ts';
import { COIN_REGIMES, type CoinRegime, nextRegime, type Regime } from './regimes.ts';
import { clustering, fatTailedShock } from './volatility.ts';

type CoinTraits = {
  readonly symbol: string;
  readonly name: string;
  readonly unit: string;
  /** Level of the long-run trend on the first day and thirteen years later. */
  readonly firstPrice: number;
  readonly laterPrice: number;
  readonly tide: number;
  readonly ownVolatility: number;
  readonly priceDecimals: number;
  /** The smallest tradable amount, in coins. */
  readonly step: number;
  readonly volume: number;
};

export const COINS: readonly CoinTraits[] = [
  coin('BTC', 'Bitcoin', [900, 78_000], 1, 0.16, 2, 0.0001, 18_000),
  coin('ETH', 'Ethereum', [14, 3_000], 1.15, 0.32, 2, 0.001, 160_000),
  coin('SOL', 'Solana', [1.6, 150], 1.3, 0.5, 3, 0.01, 1_600_000),
  coin('ADA', 'Cardano', [0.03, 0.55], 1.2, 0.45, 5, 1, 90_000_000),
  coin('XRP', 'XRP', [0.04, 1.4], 1.05, 0.5, 5, 1, 140_000_000),
  coin('LTC', 'Litecoin', [9, 90], 1.05, 0.38, 2, 0.01, 700_000),
];

/** `riskSurprise` gives the share market's surprise of a calendar day, 0 when it was closed. */
export function coinModel(seed: number, riskSurprise: (day: number) => number): DayModel {
  let regime: Regime<CoinRegime> = COIN_REGIMES.quiet;
  const tideCluster = clustering();
  const states = COINS.map((traits) => ({ traits, cluster: clustering(), offTrend: 0, logClose: NaN }));
  let firstDay: number | null = null;
  return {
    step(day) {
      firstDay ??= day;
      const years = (day - firstDay) / DAYS_PER_YEAR;
      const today = draws(seed, TIDE_STREAM, day);
      regime = nextRegime(COIN_REGIMES, regime, today.uniform(0));
      const tideDeviation = daily(regime.volatility) * Math.sqrt(tideCluster.variance);
      const shock = fatTailedShock(today, 1);
      tideCluster.next(shock);
      const tide = regime.drift / DAYS_PER_YEAR + tideDeviation * shock + RISK_WEIGHT * riskSurprise(day);
      return states.map((state, index): DayShape => {
        const own = draws(seed, COIN_STREAM + index, day);
        const ownDeviation = daily(state.traits.ownVolatility) * Math.sqrt(state.cluster.variance);
        const ownShock = fatTailedShock(own, 1);
        state.cluster.next(ownShock);
        const jump = own.uniform(0) < JUMP_PROBABILITY ? JUMP_SIZE * own.normal(2) : 0;
        state.offTrend =
          TREND_KEEP * state.offTrend + state.traits.tide * tide + ownDeviation * ownShock + jump;
        const logClose = trend(state.traits, years) + state.offTrend;
        const logOpen = Number.isNaN(state.logClose) ? trend(state.traits, 0) : state.logClose;
        state.logClose = logClose;
        const deviation = Math.sqrt((state.traits.tide * tideDeviation) ** 2 + ownDeviation ** 2);
        const liveliness = 0.6 + (0.5 * Math.abs(logClose - logOpen)) / deviation;
        const volume = Math.round(state.traits.volume * liveliness * Math.exp(0.3 * own.normal(3)));
        return { logOpen, logClose, deviation: 0.9 * deviation, volume };
      });
    },
  };
}

/** Log of the long-run price: straight between the two prices, much flatter after the thirteen years. */
function trend(traits: CoinTraits, years: number): number {
  const slope = Math.log(traits.laterPrice / traits.firstPrice) / TREND_YEARS;
  return (
    Math.log(traits.firstPrice) +
    slope * Math.min(years, TREND_YEARS) +
    MATURE_GROWTH * Math.max(0, years - TREND_YEARS)
  );
}

const daily = (volatility: number) => volatility / Math.sqrt(DAYS_PER_YEAR);

function coin(
  unit: string,
  name: string,
  [firstPrice, laterPrice]: readonly [number, number],
  tide: number,
  ownVolatility: number,
  priceDecimals: number,
  step: number,
  volume: number,
): CoinTraits {
  const symbol = `${unit}USD`;
  return { symbol, name, unit, firstPrice, laterPrice, tide, ownVolatility, priceDecimals, step, volume };
}

const DAYS_PER_YEAR = 365;
const TREND_YEARS = 13;
const MATURE_GROWTH = 0.1;
const TREND_KEEP = 0.5 ** (1 / 450);
const RISK_WEIGHT = 0.9;
const JUMP_PROBABILITY = 0.01;
const JUMP_SIZE = 0.08;
const TIDE_STREAM = 309;
const COIN_STREAM = 3_000;
