import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import type { Database } from '#records/postgres/database.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { createBarHistory } from '#trader/market-data/bar-history.ts';
import type { ResultTools } from '#results/renew-result.ts';

type Opened = {
  readonly database: Database;
  readonly models: ModelRunner;
  readonly feedUrl: string;
  /** The hash of the engine as this thread has loaded it. */
  readonly engine: string;
};

/** What results are computed with, as of now on the market's clock. Throws when the market feed does not answer. */
export async function openResultTools({ database, models, feedUrl, engine }: Opened): Promise<ResultTools> {
  const clock = await sandboxFeed(feedUrl).clock();
  if (!clock.ok) throw new Error(`the market feed: ${clock.message}`);
  const source = clock.value.mode === 'replay' ? 'import' : 'sandbox';
  return {
    database,
    history: createBarHistory(database, source),
    source,
    instruments: new Map((await listInstruments(database)).map((one) => [one.symbol, one])),
    models,
    now: clock.value.now,
    engine,
  };
}
