// One strategy on real prices, and the benchmark over the same days, with the costs of every published result.
import { backtest } from '#engine/backtest/backtest.ts';
import { type BacktestFigures, summarize } from '#engine/backtest/summarize.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { publishedCosts } from '#results/publish-result.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type Instant, type IsoDate } from '#units/instant.ts';
import { heldBenchmark, type RealListing } from './real-listings.ts';
import type { RealShare } from './real-prices.ts';

export type MeasuredListing = RealListing & {
  readonly firstDate: IsoDate;
  readonly lastDate: IsoDate;
  readonly figures: BacktestFigures;
  readonly benchmark: BacktestFigures;
};

export function measureListing(
  listing: RealListing,
  shares: ReadonlyMap<Symbol, RealShare>,
): MeasuredListing {
  const own = run(listing.definition, shares);
  const held = run(heldBenchmark(), shares, { from: own.from, to: own.to });
  return {
    ...listing,
    firstDate: own.labels[0]!,
    lastDate: own.labels.at(-1)!,
    figures: own.figures,
    benchmark: held.figures,
  };
}

type Range = { readonly from: Instant; readonly to: Instant };

function run(definition: StrategyDefinition, shares: ReadonlyMap<Symbol, RealShare>, range?: Range) {
  const symbols = [...new Set([...definition.universe, definition.benchmark])];
  const instruments = new Map(symbols.map((symbol) => [symbol, shares.get(symbol)!.instrument]));
  const series = new Map(symbols.map((symbol) => [symbol, shares.get(symbol)!.series]));
  const newest = instant(Math.max(...[...series.values()].map(({ closedAt }) => closedAt.at(-1)!)));
  const input = {
    definition,
    instruments,
    series,
    settings: { ...publishedCosts(instruments, newest), ...range },
  };
  const result = backtest(input);
  const { figures, labels } = summarize(input, result, series.get(definition.benchmark)!);
  return {
    figures,
    labels,
    from: instant(result.timeline[0]!),
    to: instant(result.timeline.at(-1)!),
  };
}
