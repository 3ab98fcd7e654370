// Strategies on futures and options of the sandbox market.
import { LANGUAGE, type Listing } from './listing.ts';

const ROOTS = ['BWSX', 'BWTB', 'BWAU'];

const managedFutures: Listing = {
  slug: 'keel-managed-futures',
  name: 'Keel Managed Futures',
  shortDescription:
    'Holds stock, bond and gold futures while their year is up, at a steady risk, cash otherwise.',
  description:
    'Three micro futures, on US stocks, Treasury bonds and gold, are each held after a year of gains and left after a year of losses, sized to bring the same risk and set anew every month. Orders go to the contract in front, which is rolled eight days before its third Friday; profit and loss settle in cash every day. All positions together never exceed the money deployed, though the contracts would allow ten times as much. It stays out of long falls and loses when trends turn often.',
  kind: 'futures',
  strategyType: 'trend_following',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 25_000,
  definition: {
    language: LANGUAGE,
    name: 'Keel Managed Futures',
    notes:
      'After B. Hurst, Y. H. Ooi and L. H. Pedersen, A Century of Evidence on Trend-Following Investing, Journal of Portfolio Management, 2017. Long or in cash: the paper’s short side was tried on this history too, and lost. Reads the continuous series of each root; trades the front contract.',
    universe: ROOTS,
    benchmark: 'BWMKT',
    schedule: { every: 'month' },
    features: { year: { indicator: 'month_return', months: 12, skip: 0 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'year', right: 0 },
      exitLong: { op: 'at_most', left: 'year', right: 0 },
    },
    weighting: { type: 'volatility_target', length: 63, annualPercent: 10, over: 'universe' },
  },
};

const coveredCall: Listing = {
  slug: 'harvest-covered-call',
  name: 'Harvest Covered Call',
  shortDescription: 'Holds the US market fund and sells a call two percent above it every month.',
  description:
    'Nearly all money is in the US market index fund. On each third Friday a one-month call with a strike about two percent above the market is sold for every hundred shares; its premium is kept, and gains beyond the strike are given away. The calls are covered by the shares, end in a month and settle in cash, so that nothing is ever owed beyond what the shares gained. It earns a little less than the market in strong years, more in flat ones, and falls somewhat less in bad ones; it does not protect from a large fall. A hundred shares cost some tens of thousands of dollars, and your limit for one position counts: where it leaves fewer than a hundred, no call is sold and the shares are simply held.',
  kind: 'options',
  strategyType: 'hybrid',
  market: 'us',
  isFeatured: true,
  minInvestmentDollars: 75_000,
  definition: {
    language: LANGUAGE,
    name: 'Harvest Covered Call',
    notes:
      'After R. Whaley, Return and Risk of CBOE Buy Write Monthly Index, Journal of Derivatives, 2002 (BXM). Option marks of backtests: Black-Scholes-Merton on the sandbox volatility surface.',
    universe: ['BWMKT'],
    benchmark: 'BWMKT',
    direction: 'long_short',
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 0 },
      exitLong: { op: 'below', left: 'close', right: 0 },
    },
    weighting: { type: 'equal', over: 'universe' },
    gross: 0.96,
    options: { structure: 'covered_call', underlying: 'BWMKT', strikePercent: 102 },
  },
};

export const DERIVATIVE_LISTINGS: readonly Listing[] = [managedFutures, coveredCall];
