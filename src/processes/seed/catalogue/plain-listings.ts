// Strategies for a replayed or live market: published rules over whatever instruments it has.
import type { Instrument } from '#engine/market/instrument.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import { LANGUAGE, type Listing } from './listing.ts';
import { coveredCallOn } from './covered-call.ts';

/** The most instruments that one strategy reads. */
const UNIVERSE_MAX = 60;

type World = 'replay' | 'live';

export function plainListings(instruments: readonly Instrument[], world: World): readonly Listing[] {
  const equities = instruments.filter((one) => one.kind === 'equity').map((one) => one.symbol);
  const benchmark = equities.find((symbol) => symbol === 'SPY') ?? equities[0] ?? instruments[0]?.symbol;
  if (benchmark === undefined) return [];
  const listings = instruments
    .filter(({ expiry }) => expiry === null)
    .slice(0, UNIVERSE_MAX)
    .map((instrument) => averageCross(instrument, { benchmark, world }));
  const optioned = new Set(instruments.flatMap(({ symbol }) => parseOption(symbol)?.underlying ?? []));
  return [
    ...(equities.length >= 4 ? [leaders(equities.slice(0, UNIVERSE_MAX), { benchmark, world })] : []),
    ...listings,
    ...[...optioned].map((symbol) => coveredCall(symbol, { benchmark, world })),
  ];
}

type Place = { readonly benchmark: string; readonly world: World };

function averageCross(instrument: Instrument, { benchmark, world }: Place): Listing {
  const { symbol } = instrument;
  const isCrypto = instrument.calendar === 'crypto';
  return {
    slug: `${world}-average-${symbol.toLowerCase()}`,
    name: `${symbol} above its average`,
    shortDescription: `Holds ${symbol} while it closes above its 50-day average, cash otherwise.`,
    description: `At each close ${symbol} is compared with the mean of its last 50 closes. Above it the strategy is invested, below it in cash. One plain rule on one instrument, for seeing how bars become orders.`,
    kind: instrument.kind,
    strategyType: 'trend_following',
    market: instrument.kind === 'equity' ? 'us' : 'global',
    isFeatured: symbol === benchmark,
    minInvestmentDollars: 5_000,
    definition: {
      language: LANGUAGE,
      name: `${symbol} above its average`,
      notes: 'Moving-average rules after W. Brock, J. Lakonishok and B. LeBaron, Journal of Finance, 1992.',
      universe: [symbol],
      benchmark: isCrypto ? symbol : benchmark,
      periodsPerYear: isCrypto ? 365 : 252,
      features: { average: { indicator: 'sma', length: 50 } },
      rule: {
        type: 'signals',
        enterLong: { op: 'above', left: 'close', right: 'average' },
        exitLong: { op: 'below', left: 'close', right: 'average' },
      },
      weighting: { type: 'equal', over: 'universe' },
    },
  };
}

function coveredCall(symbol: string, { benchmark, world }: Place): Listing {
  return {
    slug: `${world}-covered-call-${symbol.toLowerCase()}`,
    name: `Covered call on ${symbol}`,
    shortDescription: `Holds ${symbol} and sells a call two percent above it, every month.`,
    description: `${symbol} is held with 95% of the money. At each monthly expiry a call for the next one, with a strike about two percent above the price, is sold for every hundred shares: the premium is kept, and gains beyond the strike are given away. A call that ends in the money is assigned, and its shares are bought again. It falls nearly as far as the shares. With money for fewer than a hundred shares no call is sold. Its figures price the calls by a model, not by the quotes of their day.`,
    kind: 'options',
    strategyType: 'mean_reversion',
    market: 'us',
    isFeatured: false,
    minInvestmentDollars: 25_000,
    definition: {
      language: LANGUAGE,
      name: `Covered call on ${symbol}`,
      notes:
        'After R. Whaley, Return and Risk of CBOE Buy Write Monthly Index, Journal of Derivatives, 2002 (BXM). Option marks of backtests: Black-Scholes-Merton on a surface from the share’s own volatility.',
      ...coveredCallOn({ shares: [symbol], benchmark }),
    },
  };
}

function leaders(universe: readonly string[], { benchmark, world }: Place): Listing {
  const top = Math.max(2, Math.round(universe.length / 4));
  return {
    slug: `${world}-leaders`,
    name: 'Leaders of the year',
    shortDescription: `Each month, the ${top} of ${universe.length} shares of this market that rose most over the past year.`,
    description: `Ranks the shares of this market by their return over twelve months, leaving out the latest one, and holds the best ${top} in equal parts until the next month. ${PRICES[world]}`,
    kind: 'equity',
    strategyType: 'momentum',
    market: 'us',
    isFeatured: true,
    minInvestmentDollars: 10_000,
    definition: {
      language: LANGUAGE,
      name: 'Leaders of the year',
      notes:
        'After N. Jegadeesh and S. Titman, Returns to Buying Winners and Selling Losers, Journal of Finance, 1993.',
      universe,
      benchmark,
      schedule: { every: 'month' },
      features: { momentum: { indicator: 'month_return', months: 11, skip: 1 } },
      rule: { type: 'ranking', by: 'momentum', top },
      weighting: { type: 'equal', over: 'held' },
    },
  };
}

const PRICES: Readonly<Record<World, string>> = {
  replay: 'Raw prices: a split that was not imported shows as a fall.',
  live: 'Prices of the past are adjusted for the splits and dividends that the vendor lists.',
};
