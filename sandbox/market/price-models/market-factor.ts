// The common fate of all shares: one daily return of the whole market, out of a regime, clustered volatility and
// rare falls. Currencies and coins feel its surprises too.
import { draws } from './random.ts';
import { nextRegime, type Regime, STOCK_REGIMES, type StockRegime } from './regimes.ts';
import { clustering, fatTailedShock } from './volatility.ts';

export type MarketDay = {
  /** Log return of the market today. */
  readonly logReturn: number;
  /** Its unexpected part. */
  readonly surprise: number;
  /** Today's standard deviation of the surprise. */
  readonly deviation: number;
  readonly regime: StockRegime;
};

/** Steps through the trading days of shares, each exactly once and in order. */
export function marketFactor(seed: number): (day: number) => MarketDay {
  let regime: Regime<StockRegime> = STOCK_REGIMES.calm;
  const cluster = clustering();
  let beyondTrend = 0;
  return (day) => {
    const today = draws(seed, MARKET_STREAM, day);
    regime = nextRegime(STOCK_REGIMES, regime, today.uniform(0));
    const deviation = (regime.volatility / Math.sqrt(SHARE_DAYS_PER_YEAR)) * Math.sqrt(cluster.variance);
    const shock = fatTailedShock(today, 1);
    const fall = today.uniform(2) < FALL_PROBABILITY ? -deviation * (2 + 2 * today.uniform(3)) : 0;
    const surprise = deviation * shock + fall;
    cluster.next(shock);
    const drift =
      regime.drift / SHARE_DAYS_PER_YEAR + FALL_COMPENSATION * deviation - (deviation * deviation) / 2;
    const logReturn = drift + surprise - (1 - TREND_KEEP) * beyondTrend;
    beyondTrend += logReturn - TREND_PER_YEAR / SHARE_DAYS_PER_YEAR;
    return { logReturn, surprise, deviation, regime: regime.name };
  };
}

export const SHARE_DAYS_PER_YEAR = 252;

const MARKET_STREAM = 9;
/** Log growth that the market is pulled back to, with a half-life of four years: dear markets earn less. */
const TREND_PER_YEAR = 0.065;
const TREND_KEEP = 0.5 ** (1 / (4 * SHARE_DAYS_PER_YEAR));
const FALL_PROBABILITY = 0.004;
/** Falls of three deviations on average, given back as drift so that they shape the tail and not the mean. */
const FALL_COMPENSATION = FALL_PROBABILITY * 3;
