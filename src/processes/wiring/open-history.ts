// The market history of an installation. It is opened in commands and worker threads only: its reads block.
import path from 'node:path';
import { parquetHistory } from '#adapters/market-history/parquet/history-store.ts';
import type { MarketMode } from '#ports/market-data.ts';
import type { HistoryStore } from '#ports/market-history.ts';
import type { BarSource } from '#records/market/instruments.ts';

export function openHistory(dataDir: string): HistoryStore {
  return parquetHistory(path.join(dataDir, 'history'));
}

/** Real bars beside a simulated market are imported ones. A replay plays its own tape, of adjusted bars. */
export function historySource(market: MarketMode): BarSource {
  if (market === 'replay')
    throw new Error('a replay plays imported bars and has no history: leave MARKET out, or set MARKET=live');
  return market === 'live' ? 'live' : 'import';
}
