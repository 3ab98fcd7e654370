import type { ModelRunner } from '#ports/model-runner.ts';
import type { Database } from '#records/postgres/database.ts';
import { BAR_SOURCES, listInstruments } from '#records/market/instruments.ts';
import { createBarHistory } from '#trader/market-data/bar-history.ts';
import type { ResultTools } from '#results/renew-result.ts';
import { storedHistory } from '#results/stored-history.ts';
import { openHistory } from '../wiring/open-history.ts';
import type { ClockReading } from '../wiring/world.ts';

type Opened = {
  readonly database: Database;
  readonly models: ModelRunner;
  /** The market's. */
  readonly clock: ClockReading;
  /** The hash of the engine as this thread has loaded it. */
  readonly engine: string;
  readonly dataDir: string;
  readonly feePercent: number;
};

/** What results are computed with, as of now on the market's clock. */
export async function openResultTools({
  database,
  models,
  clock: { now, mode },
  engine,
  dataDir,
  feePercent,
}: Opened): Promise<ResultTools> {
  const source = BAR_SOURCES[mode];
  const records = createBarHistory(database, source);
  const instruments = new Map((await listInstruments(database)).map((one) => [one.symbol, one]));
  return {
    database,
    // Nobody imports the bars of a simulated market, and a replay plays adjusted ones.
    history:
      mode === 'live' ? storedHistory({ database, source, records, store: openHistory(dataDir) }) : records,
    source,
    parts: (interval) => createBarHistory(database, source, { interval, instruments }),
    instruments,
    models,
    now,
    engine,
    feePercent,
  };
}
