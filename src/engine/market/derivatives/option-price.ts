// What an option is worth before it ends: Black, Scholes and Merton with a volatility from a surface, whose level
// follows the underlying's own recent moves. The sandbox quotes with it and backtests mark with it, so that both agree.
import { DAY_MS, type Instant, type IsoDate, instantOfDate, utcDate } from '#units/instant.ts';
import { exp } from '../../math/exp.ts';
import { log } from '../../math/log.ts';
import { normalDistribution } from '../../math/normal.ts';
import type { BarSeries } from '../bar-series.ts';
import { intrinsicValue, type OptionContract } from '../option-contract.ts';

export type OptionMarket = {
  readonly spot: number;
  /** The market's current volatility per year, 0.15 for 15 percent; see volatilityLevels. */
  readonly level: number;
  readonly date: IsoDate;
};

/**
 * In whole cents, at least one before the last day; on the last day the exercise value. An American option is never
 * worth less than its exercise value; any further value of early exercise (with a month to go, cents) is ignored.
 */
export function optionPrice(option: OptionContract, { spot, level, date }: OptionMarket): number {
  const years = (instantOfDate(option.expiry) - instantOfDate(date)) / DAY_MS / 365;
  if (years <= 0) return cents(intrinsicValue(option, spot));
  const volatility = impliedVolatility(option, { spot, level, years });
  const european = Math.max(0.01, cents(blackScholes(option, { spot, volatility, years, rate: RATE })));
  return option.style === 'american' ? Math.max(european, cents(intrinsicValue(option, spot))) : european;
}

type Terms = {
  readonly spot: number;
  readonly volatility: number;
  readonly years: number;
  readonly rate: number;
};

/** Black and Scholes, Journal of Political Economy 81 (1973); Merton, Bell Journal of Economics 4 (1973). No dividends. */
export function blackScholes(
  { right, strike }: Pick<OptionContract, 'right' | 'strike'>,
  { spot, volatility, years, rate }: Terms,
): number {
  const deviation = volatility * Math.sqrt(years);
  const upper = (log(spot / strike) + rate * years) / deviation + deviation / 2;
  const lower = upper - deviation;
  const discounted = strike * exp(-rate * years);
  return right === 'call'
    ? spot * normalDistribution(upper) - discounted * normalDistribution(lower)
    : discounted * normalDistribution(-lower) - spot * normalDistribution(-upper);
}

/**
 * The surface. Term: variance returns from its level to the long run. Skew: strikes below the spot are dearer, by a
 * share for each standard deviation, as in index options since 1987 (Rubinstein, Journal of Finance 49, 1994).
 */
export function impliedVolatility(
  { strike }: Pick<OptionContract, 'strike'>,
  { spot, level, years }: { readonly spot: number; readonly level: number; readonly years: number },
): number {
  const pull = REVERSION_PER_YEAR * years;
  const weight = (1 - exp(-pull)) / pull;
  const variance = LONG_RUN * LONG_RUN + (level * level - LONG_RUN * LONG_RUN) * weight;
  const atTheMoney = Math.sqrt(variance) + RISK_PREMIUM;
  const deviations = log(strike / spot) / (atTheMoney * Math.sqrt(years));
  return atTheMoney * (1 - SKEW * Math.max(-3, Math.min(3, deviations)));
}

/** The level before each bar: exponentially weighted, as RiskMetrics (1996) does; the long run until there are bars. */
export function volatilityLevels(close: Float64Array): Float64Array {
  const levels = new Float64Array(close.length + 1).fill(LONG_RUN);
  let variance = (LONG_RUN * LONG_RUN) / DAYS_PER_YEAR;
  for (let i = 1; i < close.length; i++) {
    const move = close[i]! / close[i - 1]! - 1;
    variance = DECAY * variance + (1 - DECAY) * move * move;
    levels[i + 1] = Math.max(LEVEL_MIN, Math.sqrt(variance * DAYS_PER_YEAR));
  }
  return levels;
}

/** What an option is worth at the close of a row of its underlying's raw bars. */
export function optionClose(option: OptionContract, { close, closedAt }: BarSeries, row: number): number {
  const level = volatilityLevels(close)[row]!;
  return optionPrice(option, { spot: close[row]!, level, date: utcDate((closedAt[row]! - 1) as Instant) });
}

/** The bars of an option from those of its underlying, from a year before its end on; raw bars that never split. */
export function optionBars(option: OptionContract, underlying: BarSeries): BarSeries {
  const levels = volatilityLevels(underlying.close);
  const rows: number[] = [];
  const dates: IsoDate[] = [];
  const earliest = instantOfDate(option.expiry) - 365 * DAY_MS;
  for (let i = 0; i < underlying.length; i++) {
    const closedAt = underlying.closedAt[i]!;
    if (closedAt < earliest) continue;
    const date = utcDate((closedAt - 1) as Instant);
    if (date > option.expiry) break;
    rows.push(i);
    dates.push(date);
  }
  const column = (prices: Float64Array) =>
    Float64Array.from(rows, (i, k) =>
      optionPrice(option, { spot: prices[i]!, level: levels[i]!, date: dates[k]! }),
    );
  const [up, down] =
    option.right === 'call' ? [underlying.high, underlying.low] : [underlying.low, underlying.high];
  return {
    symbol: option.symbol,
    interval: underlying.interval,
    length: rows.length,
    closedAt: Float64Array.from(rows, (i) => underlying.closedAt[i]!),
    open: column(underlying.open),
    high: column(up),
    low: column(down),
    close: column(underlying.close),
    volume: new Float64Array(rows.length),
  };
}

const cents = (price: number) => Math.round(price * 100) / 100;

const DAYS_PER_YEAR = 252;
const DECAY = 0.94;
const LEVEL_MIN = 0.07;
const LONG_RUN = 0.16;
/** The half-life of a shock to the level is about three months. */
const REVERSION_PER_YEAR = 3;
/** What implied volatility has on average stood above realised: 1 to 4 points (Carr and Wu, Review of Financial Studies 22, 2009). */
const RISK_PREMIUM = 0.015;
const SKEW = 0.08;
/** Per year, continuously compounded: the constant that futures and swaps of the sandbox assume for dollars. */
const RATE = 0.02;
