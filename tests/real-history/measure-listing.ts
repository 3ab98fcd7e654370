// One strategy on real prices, with the costs of every published result, and its benchmark over the same days.
import { backtest } from '#engine/backtest/backtest.ts';
import { type BacktestFigures, summarize } from '#engine/backtest/summarize.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { publishedCosts } from '#results/publish-result.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type IsoDate } from '#units/instant.ts';
import type { RealListing } from './real-listings.ts';
import type { RealShare } from './real-prices.ts';
import { type HeldFigures, heldFigures } from './total-return.ts';

export type MeasuredListing = RealListing & {
  readonly firstDate: IsoDate;
  readonly lastDate: IsoDate;
  readonly figures: BacktestFigures;
  readonly benchmark: HeldFigures;
};

export function measureListing(
  listing: RealListing,
  shares: ReadonlyMap<Symbol, RealShare>,
): MeasuredListing {
  const own = run(listing.definition, shares);
  return {
    ...listing,
    firstDate: own.labels[0]!,
    lastDate: own.labels.at(-1)!,
    figures: own.figures,
    benchmark: heldFigures(shares.get(listing.definition.benchmark)!.series, own),
  };
}

function run(definition: StrategyDefinition, shares: ReadonlyMap<Symbol, RealShare>) {
  const symbols = [...new Set([...definition.universe, definition.benchmark])];
  const instruments = new Map(symbols.map((symbol) => [symbol, shares.get(symbol)!.instrument]));
  const series = new Map(symbols.map((symbol) => [symbol, shares.get(symbol)!.series]));
  const newest = instant(Math.max(...[...series.values()].map(({ closedAt }) => closedAt.at(-1)!)));
  const input = {
    definition,
    instruments,
    series,
    settings: publishedCosts({ instruments }, newest),
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
