// The market's history without a trader: stores its instruments, corporate actions and closed bars. It asks no broker.
import { createProblemLog } from '#engine/incidents/problem-log.ts';
import { BAR_SOURCES } from '#records/market/instruments.ts';
import type { TraderDependencies } from '../dependencies.ts';
import { emptyReport } from '../tick-report.ts';
import { createBarHistory } from './bar-history.ts';
import { ingestBars } from './ingest-bars.ts';
import { createMarketWatch } from './market-view.ts';

type Tools = Pick<TraderDependencies, 'handle' | 'marketData' | 'logger' | 'realNow'>;

/** Throws when the feed does not answer. A bar that is refused is logged, as in a tick. */
export async function readMarket({ handle, marketData, logger, realNow }: Tools): Promise<void> {
  const { database } = handle;
  const { clock, instruments, actions, exceptions } = await createMarketWatch(marketData, database, () =>
    performance.now(),
  ).look();
  const { now, mode } = clock;
  const source = BAR_SOURCES[mode];
  const outcome = { logger, realNow, problemLog: createProblemLog(), report: emptyReport() };
  const context = { marketData, database, now, instruments, actions, exceptions, ...outcome };
  await ingestBars(context, createBarHistory(database, source), source);
}
