// Strategies on the listed shares and funds of the sandbox market.
import { LANGUAGE, type Listing } from '../../seed/catalogue/listing.ts';

const BENCHMARK = 'BWMKT';
const FUNDS = ['BWMKT', 'BWBND', 'BWGLD'];
const SHARES = [
  'NVSM',
  'QLBR',
  'ARDN',
  'HLXD',
  'KTRA',
  'LMVX',
  'TLCO',
  'MRBY',
  'VLMR',
  'HWLL',
  'GRNF',
  'PRLW',
  'SNTV',
  'ALVT',
  'GNWY',
  'HBTR',
  'NGTI',
  'CPST',
  'WLDC',
  'SNVL',
  'IRBR',
  'AVAE',
  'FRTL',
  'CBRN',
  'LKSD',
  'BRWK',
];

const compassTrend: Listing = {
  slug: 'compass-trend',
  name: 'Compass Trend',
  shortDescription: 'Holds stocks, bonds and gold while each is above its ten-month average, cash otherwise.',
  description:
    'Once a month the strategy looks at three broad funds: US stocks, Treasury bonds and gold. A fund above its 200-day average gets a third of the money, a fund below it is sold and its share waits in cash. It aims at most of the return of a balanced portfolio with a smaller worst loss; it lags in quick recoveries and gives up ground whenever prices cross their average back and forth.',
  kind: 'equity',
  strategyType: 'trend_following',
  market: 'us',
  isFeatured: true,
  minInvestmentDollars: 5_000,
  definition: {
    language: LANGUAGE,
    name: 'Compass Trend',
    notes:
      'After M. Faber, A Quantitative Approach to Tactical Asset Allocation, Journal of Wealth Management, 2007.',
    universe: FUNDS,
    benchmark: BENCHMARK,
    schedule: { every: 'month' },
    features: { trend: { indicator: 'sma', length: 200 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'trend' },
      exitLong: { op: 'below', left: 'close', right: 'trend' },
    },
    weighting: { type: 'equal', over: 'universe' },
  },
};

const ballast: Listing = {
  slug: 'ballast',
  name: 'Ballast',
  shortDescription: 'Stocks, bonds and gold in proportion to how calm each of them is.',
  description:
    'Three broad funds are always held, each with a share that is larger the less it has moved over the last quarter, and resized every month. The aim is that no single fund decides the result; the one forecast in it, and why it is listed as momentum, is that a fund which has lost a fifth in twelve months is left out until it recovers. Most of the money is in bonds, which in the simulated market have earned less than one percent a year: expect a small return with small swings, and a loss when stocks and bonds fall together.',
  kind: 'equity',
  strategyType: 'momentum',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 5_000,
  definition: {
    language: LANGUAGE,
    name: 'Ballast',
    notes:
      'Inverse-volatility shares after S. Maillard, T. Roncalli and J. Teiletche, Journal of Portfolio Management, 2010; a fund takes part while its twelve-month return is above -20%, after G. Antonacci, 2014.',
    universe: FUNDS,
    benchmark: BENCHMARK,
    schedule: { every: 'month' },
    features: { year: { indicator: 'month_return', months: 12, skip: 0 } },
    rule: { type: 'ranking', by: 'year', top: 3, where: { op: 'above', left: 'year', right: -0.2 } },
    weighting: { type: 'inverse_volatility', length: 63 },
  },
};

const northboundMomentum: Listing = {
  slug: 'northbound-momentum',
  name: 'Northbound Momentum',
  shortDescription: 'Each month, the eight shares that rose most over the past year.',
  description:
    'From twenty-six listed companies the strategy holds the eight with the highest return over the last twelve months, leaving out the most recent one, in equal parts, and renews the list every month. Winners have tended to go on winning for a while; when the market turns they have also tended to fall together, and then the loss is larger than the market’s.',
  kind: 'equity',
  strategyType: 'momentum',
  market: 'us',
  isFeatured: true,
  minInvestmentDollars: 10_000,
  definition: {
    language: LANGUAGE,
    name: 'Northbound Momentum',
    notes:
      'After N. Jegadeesh and S. Titman, Returns to Buying Winners and Selling Losers, Journal of Finance, 1993.',
    universe: SHARES,
    benchmark: BENCHMARK,
    schedule: { every: 'month' },
    features: { momentum: { indicator: 'month_return', months: 11, skip: 1 } },
    rule: { type: 'ranking', by: 'momentum', top: 8 },
    weighting: { type: 'equal', over: 'held' },
  },
};

const spreadMomentum: Listing = {
  slug: 'two-sided-momentum',
  name: 'Two-Sided Momentum',
  shortDescription: 'Long the year’s six strongest shares, short its six weakest.',
  description:
    'Half of the money is long the six shares with the best twelve-month return, half is short the six with the worst, renewed monthly. The market’s own direction largely cancels out; what is left is the difference between winners and losers. Sharp rebounds of beaten-down shares are its worst case, and a short position can lose more than was put in. In the simulated market it has lost money; it is listed because results that disappoint belong to an honest catalogue.',
  kind: 'equity',
  strategyType: 'momentum',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 25_000,
  definition: {
    language: LANGUAGE,
    name: 'Two-Sided Momentum',
    notes: 'After N. Jegadeesh and S. Titman, Journal of Finance, 1993, both legs.',
    universe: SHARES,
    benchmark: BENCHMARK,
    schedule: { every: 'month' },
    direction: 'long_short',
    features: { momentum: { indicator: 'month_return', months: 11, skip: 1 } },
    rule: { type: 'ranking', by: 'momentum', top: 6, bottom: 6 },
    weighting: { type: 'equal', over: 'held' },
    gross: 0.9,
  },
};

const rebound: Listing = {
  slug: 'rebound',
  name: 'Rebound',
  shortDescription: 'Buys short, sharp dips in shares that are in a long-term rise.',
  description:
    'When a share above its 200-day average has fallen so fast that its two-day strength index drops below 10, the strategy buys it at the next open and sells once the index is back above 65. Positions last a few days. Most trades earn a little; the losses are fewer and larger, because a dip is sometimes the beginning of a fall. In the simulated market it has hardly earned its costs.',
  kind: 'equity',
  strategyType: 'mean_reversion',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 10_000,
  definition: {
    language: LANGUAGE,
    name: 'Rebound',
    notes:
      'Short-term reversal after B. Lehmann, Fads, Martingales, and Market Efficiency, Quarterly Journal of Economics, 1990; entry and exit as in L. Connors and C. Alvarez, Short Term Trading Strategies That Work, 2009.',
    universe: SHARES,
    benchmark: BENCHMARK,
    features: {
      strength: { indicator: 'rsi', length: 2 },
      trend: { indicator: 'sma', length: 200 },
    },
    rule: {
      type: 'signals',
      enterLong: {
        op: 'all',
        of: [
          { op: 'below', left: 'strength', right: 10 },
          { op: 'above', left: 'close', right: 'trend' },
        ],
      },
      exitLong: { op: 'above', left: 'strength', right: 65 },
    },
    weighting: {
      type: 'fixed',
      weights: Object.fromEntries(SHARES.slice(0, 20).map((symbol) => [symbol, 0.05])),
    },
    exits: { maxBars: 15 },
  },
};

const breakout: Listing = {
  slug: 'high-ground',
  name: 'High Ground',
  shortDescription: 'Follows shares that break out above their highest price of eleven weeks.',
  description:
    'A share that closes above the highest price of the previous 55 days is bought, and sold when it closes below the lowest of the previous 20. Each position is sized so that it adds about the same risk. Many breakouts fail and cost a little; the few that run pay for them, so long dull stretches are normal. In the simulated market it has earned far less than holding the market.',
  kind: 'equity',
  strategyType: 'trend_following',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 15_000,
  definition: {
    language: LANGUAGE,
    name: 'High Ground',
    notes:
      'Channel breakout after R. Donchian; tested by A. Szakmary, Q. Shen and S. Sharma, Journal of Banking and Finance, 2010.',
    universe: SHARES,
    benchmark: BENCHMARK,
    features: {
      upper: { indicator: 'donchian', length: 55, output: 'upper' },
      lower: { indicator: 'donchian', length: 20, output: 'lower' },
    },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'upper' },
      exitLong: { op: 'below', left: 'close', right: 'lower' },
    },
    weighting: { type: 'volatility_target', length: 63, annualPercent: 14, over: 'held' },
  },
};

const sisterSpread: Listing = {
  slug: 'sister-spread',
  name: 'Sister Spread',
  shortDescription: 'Bets that the gap between three pairs of sister companies closes again.',
  description:
    'Three pairs of companies in the same business usually move together. When the ratio of a pair’s prices is two standard deviations away from its three-month norm, the strategy buys the cheap one, sells the dear one short, and closes both when the gap has closed. It hardly depends on the market. Its danger is a gap that opens for a good reason and stays. In the simulated market gaps between sisters always close, so that its record there is far smoother than any real one would be.',
  kind: 'equity',
  strategyType: 'arbitrage',
  market: 'us',
  isFeatured: true,
  minInvestmentDollars: 20_000,
  definition: {
    language: LANGUAGE,
    name: 'Sister Spread',
    notes:
      'After E. Gatev, W. Goetzmann and K. G. Rouwenhorst, Pairs Trading, Review of Financial Studies, 2006.',
    universe: ['PRLW', 'CLBK', 'HBTR', 'MRDB', 'WLDC', 'SLTB'],
    benchmark: BENCHMARK,
    direction: 'long_short',
    rule: {
      type: 'pairs',
      pairs: [
        { first: 'PRLW', second: 'CLBK' },
        { first: 'HBTR', second: 'MRDB' },
        { first: 'WLDC', second: 'SLTB' },
      ],
      spread: 'log_ratio',
      length: 63,
      enterAt: 2,
      exitAt: 0.5,
      stopAt: 4.5,
    },
    weighting: { type: 'equal', over: 'universe' },
    gross: 0.9,
  },
};

export const EQUITY_LISTINGS: readonly Listing[] = [
  compassTrend,
  northboundMomentum,
  sisterSpread,
  rebound,
  ballast,
  breakout,
  spreadMomentum,
];
