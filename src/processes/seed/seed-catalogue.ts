// The catalogue: instruments and bars of the market, brokers, strategies with the results that the engine computes. It asks
// no broker. Safe to run at every start: existing rows stay, and results are renewed when enough new days have closed.
import { deciderOf } from '#engine/decider/decider-rule.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { findNewestBacktest } from '#records/results/backtests.ts';
import { BAR_SOURCES } from '#records/market/instruments.ts';
import { keepBrokers } from '#records/brokerage/brokers.ts';
import { keepStrategy } from '#records/strategies/catalogue.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { createBarHistory } from '#trader/market-data/bar-history.ts';
import { type CommittedVersion, readSeries, renewResult, type ResultTools } from '#results/renew-result.ts';
import type { TraderLogger } from '#trader/dependencies.ts';
import { readMarket } from '#trader/market-data/read-market.ts';
import { probeRecord } from '#results/probe-record.ts';
import { recordHistory } from '#trader/deciders/record-history.ts';
import { DAY_MS, instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { wallInstant } from '#units/wall-instant.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { LanguageModelPort } from '#ports/language-model.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import { listBrokers } from './catalogue/brokers.ts';
import type { Listing } from './catalogue/listing.ts';
import { readEngineHash } from '../wiring/engine-sources.ts';
import { resultReason } from '#rules/reasons/result-reason.ts';
import type { World } from '../wiring/world.ts';
import { countEarlierTries } from './count-earlier-tries.ts';

type CatalogueTools = {
  readonly handle: DatabaseHandle;
  /** The slug of the broker that the product trades with. */
  readonly vendors: readonly string[];
  readonly feePercent: number;
  readonly models: ModelRunner;
  /** The models that can be asked for decisions. */
  readonly deciders: readonly LanguageModelPort[];
  readonly marketData: MarketDataFeed;
  readonly listings: World['listings'];
  readonly logger: TraderLogger;
  readonly say: (line: string) => void;
};

export async function seedCatalogue({
  handle,
  vendors,
  feePercent,
  models,
  deciders,
  marketData,
  listings: listingsOf,
  logger,
  say,
}: CatalogueTools): Promise<void> {
  const { database } = handle;
  await keepBrokers(database, listBrokers(vendors));
  say('Reading the market’s history…');
  await readMarket({ handle, marketData, logger, realNow: () => wallInstant(Date.now()) });
  const clock = answered(await marketData.clock());
  const instruments = new Map(answered(await marketData.instruments()).map((one) => [one.symbol, one]));
  const listings = await listingsOf([...instruments.values()], clock.mode);
  say(`Testing ${listings.length} strategies over it…`);
  const source = BAR_SOURCES[clock.mode];
  const tools: ResultTools = {
    database,
    history: createBarHistory(database, source),
    parts: (interval) => createBarHistory(database, source, { interval, instruments }),
    source,
    instruments,
    models,
    now: clock.now,
    engine: readEngineHash(),
    feePercent,
  };
  for (const listing of listings) await publish(listing, { ...tools, deciders }, say);
}

async function publish(
  listing: Listing,
  tools: ResultTools & Pick<CatalogueTools, 'deciders'>,
  say: CatalogueTools['say'],
): Promise<void> {
  const { database } = tools;
  const parsed = parseDefinition(listing.definition);
  if (!parsed.ok)
    throw new Error(`the definition of ${listing.slug} does not parse: ${JSON.stringify(parsed.errors)}`);
  const { definition } = parsed;
  const version = await keepStrategy(
    database,
    { ...listing, minInvestment: toMicro(listing.minInvestmentDollars) },
    { definition, definitionHash: definitionHash(definition), committedAt: tools.now },
  );
  const committed = { ...version, definition };
  if (listing.earlierTries !== undefined)
    await countEarlierTries(database, committed, listing.earlierTries, tools.instruments);
  // A result of this engine is updated while the product runs; the start does not wait for it.
  const newest = await findNewestBacktest(database, version.versionId);
  if (newest?.engineHash === tools.engine) return;
  const decider = deciderOf(definition);
  if (decider !== null && !tools.deciders.some(({ model }) => model === decider.model)) {
    say(`  ${listing.name}: its model ${decider.model} is not connected, so it is not listed`);
    return;
  }
  await recordPast(tools, committed);
  const renewal = await renewResult(tools, committed);
  await probeRecord(tools, committed);
  if (renewal === 'kept') say(`  ${listing.name}: ${resultReason('kept_as_published')}`);
  if (renewal === 'too_short') say(`  ${listing.name}: not enough history yet, so it is not listed`);
}

/** What its model answers about the years before the strategy is committed. */
async function recordPast(
  tools: ResultTools & Pick<CatalogueTools, 'deciders'>,
  version: CommittedVersion,
): Promise<void> {
  if (deciderOf(version.definition) === null) return;
  const series = await readSeries(tools, version.definition);
  const from = instant(Math.max(0, version.committedAt - RECORDED_YEARS * 365 * DAY_MS));
  const realNow = () => wallInstant(Date.now());
  await recordHistory({ ...tools, realNow }, version, { series, from, through: version.committedAt });
}

const RECORDED_YEARS = 6;

function answered<Value>(answer: { ok: true; value: Value } | { ok: false; message: string }): Value {
  if (!answer.ok) throw new Error(`the market feed: ${answer.message}`);
  return answer.value;
}
