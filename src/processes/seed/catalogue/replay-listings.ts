// Strategies for a replayed market: the same published rules over the imported instruments.
import type { Instrument } from '#engine/market/instrument.ts';
import { LANGUAGE, type Listing } from './listing.ts';

/** The most instruments that one strategy over a replay reads. */
const UNIVERSE_MAX = 60;

export function replayListings(instruments: readonly Instrument[]): readonly Listing[] {
  const equities = instruments.filter((one) => one.kind === 'equity').map((one) => one.symbol);
  const benchmark = equities.find((symbol) => symbol === 'SPY') ?? equities[0] ?? instruments[0]?.symbol;
  if (benchmark === undefined) return [];
  const listings = instruments
    .slice(0, UNIVERSE_MAX)
    .map((instrument) => averageCross(instrument, benchmark));
  return equities.length >= 4 ? [leaders(equities.slice(0, UNIVERSE_MAX), benchmark), ...listings] : listings;
}

function averageCross(instrument: Instrument, benchmark: string): Listing {
  const { symbol } = instrument;
  const isCrypto = instrument.calendar === 'crypto';
  return {
    slug: `replay-average-${symbol.toLowerCase()}`,
    name: `${symbol} above its average`,
    shortDescription: `Holds ${symbol} while it closes above its 50-day average, cash otherwise.`,
    description: `At each close ${symbol} is compared with the mean of its last 50 closes. Above it the strategy is invested, below it in cash. One plain rule on one instrument, for seeing how imported bars become orders.`,
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

function leaders(universe: readonly string[], benchmark: string): Listing {
  const top = Math.max(2, Math.round(universe.length / 4));
  return {
    slug: 'replay-leaders',
    name: 'Leaders of the year',
    shortDescription: `Each month, the ${top} of ${universe.length} imported shares that rose most over the past year.`,
    description: `Ranks the imported shares by their return over twelve months, leaving out the latest one, and holds the best ${top} in equal parts until the next month. Raw prices: a split that was not imported shows as a fall.`,
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
