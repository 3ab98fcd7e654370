// The catalogue: instruments and bars of the market, brokers, strategies with the results that the engine computes.
// Safe to run at every start: what is there stays, results are renewed when enough new days have closed.
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { parseDefinition } from '#engine/strategy/parse-definition.ts';
import { saveBacktest } from '#records/backtests.ts';
import { keepBrokers, keepStrategy, publishStrategy } from '#records/catalogue.ts';
import type { DatabaseHandle } from '#records/database.ts';
import { riskLevel, strategyRiskScore } from '#rules/suitability/strategy-risk.ts';
import { createBarHistory } from '#trader/bar-history.ts';
import { publishResult, symbolsOfResult } from '#trader/publish-result.ts';
import type { Trader } from '#trader/trader.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { BROKERS } from './catalogue/brokers.ts';
import { CURRENCY_LISTINGS } from './catalogue/currency-listings.ts';
import { EQUITY_LISTINGS } from './catalogue/equity-listings.ts';
import type { Listing } from './catalogue/listing.ts';
import { replayListings } from './catalogue/replay-listings.ts';

export type CatalogueTools = {
  readonly handle: DatabaseHandle;
  readonly marketData: MarketDataFeed;
  readonly trader: Trader;
  readonly say: (line: string) => void;
};

export async function seedCatalogue({ handle, marketData, trader, say }: CatalogueTools): Promise<void> {
  const { database } = handle;
  await keepBrokers(database, BROKERS);
  say('Reading the market’s history…');
  await trader.tick();
  const clock = answered(await marketData.clock());
  const instruments = new Map(answered(await marketData.instruments()).map((one) => [one.symbol, one]));
  const listings =
    clock.mode === 'replay'
      ? replayListings([...instruments.values()])
      : [...EQUITY_LISTINGS, ...CURRENCY_LISTINGS];
  say(`Testing ${listings.length} strategies over it…`);
  const history = createBarHistory(database, clock.mode === 'replay' ? 'import' : 'sandbox');
  for (const listing of listings)
    await publish(listing, { handle, history, instruments, now: clock.now, say });
}

type PublishTools = {
  readonly handle: DatabaseHandle;
  readonly history: ReturnType<typeof createBarHistory>;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly now: Instant;
  readonly say: (line: string) => void;
};

async function publish(
  listing: Listing,
  { handle, history, instruments, now, say }: PublishTools,
): Promise<void> {
  const { database } = handle;
  const parsed = parseDefinition(listing.definition);
  if (!parsed.ok)
    throw new Error(`the definition of ${listing.slug} does not parse: ${JSON.stringify(parsed.errors)}`);
  const { definition } = parsed;
  const { strategyId, versionId } = await keepStrategy(
    database,
    { ...listing, minInvestment: toMicro(listing.minInvestmentDollars) },
    { definition, definitionHash: definitionHash(definition), committedAt: now },
  );
  const symbols = symbolsOfResult(definition);
  await history.load(symbols, now);
  const series = new Map(symbols.map((symbol) => [symbol, history.series(symbol)]));
  const published = publishResult({ versionId, definition, instruments, series });
  if (published === null) {
    say(`  ${listing.name}: not enough history yet, so it is not listed`);
    return;
  }
  await saveBacktest(database, published.stored);
  const score = strategyRiskScore(published.risk);
  await publishStrategy(database, strategyId, { level: riskLevel(score), score });
}

function answered<Value>(answer: { ok: true; value: Value } | { ok: false; message: string }): Value {
  if (!answer.ok) throw new Error(`the market feed: ${answer.message}`);
  return answer.value;
}
