// Strategies on futures and options of the sandbox market.
import { LANGUAGE, type Listing } from './listing.ts';

const ROOTS = ['BWSX', 'BWTB', 'BWAU'];

const managedFutures: Listing = {
  slug: 'keel-managed-futures',
  name: 'Keel Managed Futures',
  shortDescription: 'Follows the yearly trend of stock, bond and gold futures, up or down, at a steady risk.',
  description:
    'Three micro futures, on US stocks, Treasury bonds and gold, are held long after a year of gains and short after a year of losses, each sized to bring the same risk and set anew every month. Orders go to the contract in front, which is rolled eight days before its third Friday; profit and loss settle in cash every day. All positions together never exceed the money deployed, though the contracts would allow ten times as much. It has earned in long falls of stock markets and loses when trends turn often.',
  kind: 'futures',
  strategyType: 'trend_following',
  market: 'us',
  isFeatured: true,
  minInvestmentDollars: 25_000,
  definition: {
    language: LANGUAGE,
    name: 'Keel Managed Futures',
    notes:
      'After B. Hurst, Y. H. Ooi and L. H. Pedersen, A Century of Evidence on Trend-Following Investing, Journal of Portfolio Management, 2017. Reads the continuous series of each root; trades the front contract.',
    universe: ROOTS,
    benchmark: 'BWMKT',
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
    weighting: { type: 'volatility_target', length: 63, annualPercent: 10, over: 'universe' },
  },
};

export const DERIVATIVE_LISTINGS: readonly Listing[] = [managedFutures];
