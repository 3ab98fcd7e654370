// Strategies on currency pairs and on cryptocurrencies.
import { LANGUAGE, type Listing } from '../../seed/catalogue/listing.ts';

const PAIRS = ['EURUSD', 'GBPUSD', 'AUDUSD', 'NZDUSD', 'USDJPY', 'USDCHF'];
const COINS = ['BTCUSD', 'ETHUSD', 'SOLUSD', 'ADAUSD', 'XRPUSD', 'LTCUSD'];

/** Each pair with its trend of twelve months, all sized to this yearly volatility in percent. */
export function yearlyTrend(annualPercent: number) {
  return {
    notes:
      'After T. Moskowitz, Y. H. Ooi and L. H. Pedersen, Time Series Momentum, Journal of Financial Economics, 2012.',
    universe: PAIRS,
    benchmark: 'EURUSD',
    schedule: { every: 'month' },
    direction: 'long_short',
    features: { year: { indicator: 'month_return', months: 12, skip: 0 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'year', right: 0 },
      exitLong: { op: 'at_most', left: 'year', right: 0 },
      enterShort: { op: 'below', left: 'year', right: 0 },
      exitShort: { op: 'at_least', left: 'year', right: 0 },
    },
    weighting: { type: 'volatility_target', length: 63, annualPercent, over: 'universe' },
  } as const;
}

const currencyTrend: Listing = {
  slug: 'meridian-fx',
  name: 'Meridian FX',
  shortDescription: 'Goes with the yearly trend of six major currencies, up or down.',
  description:
    'A currency pair that is above its level of twelve months ago is held long, one below it short, each sized to bring the same risk and resized every month. Currencies trend slowly; the strategy earns when they do and bleeds in small steps when they do not. Positions are unleveraged: all of them together never exceed the money deployed.',
  kind: 'forex',
  strategyType: 'momentum',
  market: 'global',
  isFeatured: true,
  minInvestmentDollars: 5_000,
  definition: {
    language: LANGUAGE,
    name: 'Meridian FX',
    ...yearlyTrend(9),
  },
};

const currencyCross: Listing = {
  slug: 'slipstream-fx',
  name: 'Slipstream FX',
  shortDescription: 'Two moving averages decide the side of six currency pairs.',
  description:
    'Each pair is long while its 20-day average is above its 100-day average and short while it is below, looked at every trading day. The rule is old and plain, and is here for exactly that reason: it shows what a simple trend rule earns after costs in currencies, with no fine-tuning to blame or to credit.',
  kind: 'forex',
  strategyType: 'trend_following',
  market: 'global',
  isFeatured: false,
  minInvestmentDollars: 5_000,
  definition: {
    language: LANGUAGE,
    name: 'Slipstream FX',
    notes: 'Moving-average rules after W. Brock, J. Lakonishok and B. LeBaron, Journal of Finance, 1992.',
    universe: PAIRS,
    benchmark: 'EURUSD',
    direction: 'long_short',
    features: { fast: { indicator: 'sma', length: 20 }, slow: { indicator: 'sma', length: 100 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'fast', right: 'slow' },
      exitLong: { op: 'below', left: 'fast', right: 'slow' },
      enterShort: { op: 'below', left: 'fast', right: 'slow' },
      exitShort: { op: 'above', left: 'fast', right: 'slow' },
    },
    weighting: { type: 'equal', over: 'universe' },
  },
};

const currencyReturn: Listing = {
  slug: 'pendulum-fx',
  name: 'Pendulum FX',
  shortDescription: 'Trades against stretched currency moves and waits for the way back.',
  description:
    'When a pair closes more than two standard deviations from its 20-day average, the strategy takes the other side and leaves once the price is back at the average, or after three weeks. It earns small amounts often. A currency that keeps running, as after a central bank’s surprise, is what it loses on. In the simulated market it has lost money after costs.',
  kind: 'forex',
  strategyType: 'mean_reversion',
  market: 'global',
  isFeatured: false,
  minInvestmentDollars: 5_000,
  definition: {
    language: LANGUAGE,
    name: 'Pendulum FX',
    notes:
      'Mean reversion in currencies after A. Serban, Combining Mean Reversion and Momentum Trading Strategies in Foreign Exchange Markets, Journal of Banking and Finance, 2010; price bands after J. Bollinger, Bollinger on Bollinger Bands, 2001.',
    universe: PAIRS,
    benchmark: 'EURUSD',
    direction: 'long_short',
    features: { stretch: { indicator: 'zscore', length: 20 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'below', left: 'stretch', right: -2 },
      exitLong: { op: 'at_least', left: 'stretch', right: 0 },
      enterShort: { op: 'above', left: 'stretch', right: 2 },
      exitShort: { op: 'at_most', left: 'stretch', right: 0 },
    },
    weighting: { type: 'equal', over: 'universe' },
    exits: { maxBars: 15 },
  },
};

const coinTrend: Listing = {
  slug: 'tidal-coins',
  name: 'Tidal Coins',
  shortDescription: 'Rides cryptocurrencies above their 50-day average, with risk held steady.',
  description:
    'Six cryptocurrencies are held while they trade above their 50-day average, each with a size that shrinks when its swings grow, so that the whole aims at a yearly volatility of 35%. Markets are open every day of the week and so is the strategy. Losses of a third and more have been part of its history; invest only what can bear that.',
  kind: 'crypto',
  strategyType: 'trend_following',
  market: 'global',
  isFeatured: true,
  minInvestmentDollars: 1_000,
  definition: {
    language: LANGUAGE,
    name: 'Tidal Coins',
    notes:
      'Trend with volatility targeting after A. Moreira and T. Muir, Volatility-Managed Portfolios, Journal of Finance, 2017.',
    universe: COINS,
    benchmark: 'BTCUSD',
    periodsPerYear: 365,
    features: { trend: { indicator: 'sma', length: 50 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'trend' },
      exitLong: { op: 'below', left: 'close', right: 'trend' },
    },
    weighting: { type: 'volatility_target', length: 30, annualPercent: 35, over: 'universe' },
  },
};

const coinLeaders: Listing = {
  slug: 'coin-leaders',
  name: 'Coin Leaders',
  shortDescription: 'Each week, the two coins that rose most over the last four.',
  description:
    'Every week the strategy holds the two of six cryptocurrencies with the best four-week return, provided that it is positive, and stays in cash otherwise. It is concentrated and turns over quickly, so costs matter and single weeks can be violent; in the simulated market it once lost nearly three quarters of its value.',
  kind: 'crypto',
  strategyType: 'momentum',
  market: 'global',
  isFeatured: false,
  minInvestmentDollars: 5_000,
  definition: {
    language: LANGUAGE,
    name: 'Coin Leaders',
    notes:
      'After Y. Liu, A. Tsyvinski and X. Wu, Common Risk Factors in Cryptocurrency, Journal of Finance, 2022.',
    universe: COINS,
    benchmark: 'BTCUSD',
    schedule: { every: 'week' },
    periodsPerYear: 365,
    features: { month: { indicator: 'roc', length: 28 } },
    rule: { type: 'ranking', by: 'month', top: 2, where: { op: 'above', left: 'month', right: 0 } },
    weighting: { type: 'equal', over: 'held' },
    gross: 0.8,
  },
};

const coinReturn: Listing = {
  slug: 'coin-snapback',
  name: 'Coin Snapback',
  shortDescription: 'Buys panics in cryptocurrencies and sells into the recovery.',
  description:
    'A coin whose 14-day strength index falls below 30 is bought and sold once the index is back above 55. Buying what others sell works often and fails badly: a coin can stay weak for months, and the strategy holds it while it does, for 40 days at most. In the simulated market it has hardly gained, with falls of more than half on the way.',
  kind: 'crypto',
  strategyType: 'mean_reversion',
  market: 'global',
  isFeatured: false,
  minInvestmentDollars: 5_000,
  definition: {
    language: LANGUAGE,
    name: 'Coin Snapback',
    notes:
      'Reversal of coins after D. Bianchi, M. Babiak and A. Dickerson, Trading Volume and Liquidity Provision in Cryptocurrency Markets, Journal of Banking and Finance, 2022; relative strength after J. W. Wilder, New Concepts in Technical Trading Systems, 1978.',
    universe: COINS,
    benchmark: 'BTCUSD',
    periodsPerYear: 365,
    features: { strength: { indicator: 'rsi', length: 14 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'below', left: 'strength', right: 30 },
      exitLong: { op: 'above', left: 'strength', right: 55 },
    },
    weighting: { type: 'equal', over: 'universe' },
    exits: { maxBars: 40 },
  },
};

export const CURRENCY_LISTINGS: readonly Listing[] = [
  currencyReturn,
  coinTrend,
  currencyTrend,
  currencyCross,
  coinLeaders,
  coinReturn,
];
