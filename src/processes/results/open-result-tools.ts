import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { MarketClock } from '#ports/market-data.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import type { Database } from '#records/postgres/database.ts';
import { BAR_SOURCES, listInstruments } from '#records/market/instruments.ts';
import { createBarHistory } from '#trader/market-data/bar-history.ts';
import type { ResultTools } from '#results/renew-result.ts';
import { storedHistory } from '#results/stored-history.ts';
import { instant } from '#units/instant.ts';
import { openHistory } from '../wiring/open-history.ts';

type Opened = {
  readonly database: Database;
  readonly models: ModelRunner;
  /** Null: the live market, whose time is the wall's. */
  readonly feedUrl: string | null;
  /** The hash of the engine as this thread has loaded it. */
  readonly engine: string;
  readonly dataDir: string;
  readonly feePercent: number;
};

/** What results are computed with, as of now on the market's clock. Throws when the market feed does not answer. */
export async function openResultTools({
  database,
  models,
  feedUrl,
  engine,
  dataDir,
  feePercent,
}: Opened): Promise<ResultTools> {
  const { now, mode } = await readClock(feedUrl);
  const source = BAR_SOURCES[mode];
  const records = createBarHistory(database, source);
  return {
    database,
    // Nobody imports the bars of a simulated market, and a replay plays adjusted ones.
    history:
      mode === 'live' ? storedHistory({ database, source, records, store: openHistory(dataDir) }) : records,
    source,
    instruments: new Map((await listInstruments(database)).map((one) => [one.symbol, one])),
    models,
    now,
    engine,
    feePercent,
  };
}

async function readClock(feedUrl: string | null): Promise<Pick<MarketClock, 'now' | 'mode'>> {
  if (feedUrl === null) return { now: instant(Date.now()), mode: 'live' };
  const clock = await sandboxFeed(feedUrl).clock();
  if (!clock.ok) throw new Error(`the market feed: ${clock.message}`);
  return clock.value;
}
