// Strategies on futures and options of the sandbox market.
import { LANGUAGE, type Listing } from '../../seed/catalogue/listing.ts';
import { coveredCallOn } from '../../seed/catalogue/covered-call.ts';

const ROOTS = ['BWSX', 'BWTB', 'BWAU'];

const managedFutures: Listing = {
  slug: 'keel-managed-futures',
  name: 'Keel Managed Futures',
  shortDescription:
    'Holds stock, bond and gold futures while their year is up, at a steady risk, cash otherwise.',
  description:
    'Three micro futures, on US stocks, Treasury bonds and gold, are each held after a year of gains and left after a year of losses, sized to bring the same risk and resized every month. Orders go to the contract in front, which is rolled eight days before its third Friday; profit and loss settle in cash every day. All positions together never exceed the money deployed, though the contracts would allow ten times as much. It stays out of long falls and loses when trends turn often; in the simulated market it has earned little more than one percent a year.',
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

/** They pay dividends and have never split, so options on them keep their listed terms. */
const DIVIDEND_PAYERS = ['TLCO', 'GRNF', 'NGTI', 'ALVT', 'LKSD'];

const coveredCall: Listing = {
  slug: 'harvest-covered-call',
  name: 'Harvest Covered Call',
  shortDescription: 'Holds five dividend-paying shares and sells a call two percent above each, every month.',
  description:
    'Five companies that pay dividends are held with 19% of the money each. On each third Friday a one-month call with a strike about two percent above the price is sold for every hundred shares of each; the premium is kept, and gains beyond the strike are given away. The options are American and real: a call that ends in the money is assigned, its hundred shares leave at the strike and are bought again for the next month, and one can be assigned early, on the evening before a dividend that is worth more than waiting. No call is ever sold without the shares that cover it. Selling calls sells strength, and what is called away is bought back at the next price: it earns when prices come back rather than run, which is why it is listed as mean reversion. It earns less than the shares in strong years, more in flat ones, and falls nearly as far in bad ones; in the simulated market it has earned less than the index. A hundred shares of each company must fit into its 19%: with less money, or with a limit for one position below 20%, some or all of the calls are left out and the shares are simply held.',
  kind: 'options',
  strategyType: 'mean_reversion',
  market: 'us',
  isFeatured: true,
  minInvestmentDollars: 60_000,
  definition: {
    language: LANGUAGE,
    name: 'Harvest Covered Call',
    notes:
      'After R. Whaley, Return and Risk of CBOE Buy Write Monthly Index, Journal of Derivatives, 2002 (BXM), on single shares instead of an index. Assignment by the rules of the Options Clearing Corporation. Option marks of backtests: Black-Scholes-Merton on the sandbox volatility surface.',
    ...coveredCallOn({ shares: DIVIDEND_PAYERS, benchmark: 'BWMKT' }),
  },
};

export const DERIVATIVE_LISTINGS: readonly Listing[] = [managedFutures, coveredCall];
