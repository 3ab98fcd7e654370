// The market's history without a trader: stores its instruments, corporate actions and closed bars. It asks no broker.
import { createProblemLog } from '#engine/incidents/problem-log.ts';
import { createBarHistory } from './bar-history.ts';
import { ingestBars } from './ingest-bars.ts';
import { createMarketWatch } from './market-view.ts';
import type { TraderDependencies } from '../dependencies.ts';
import { emptyReport } from '../tick-report.ts';

/** Throws when the feed does not answer. A bar that is refused is logged, as in a tick. */
export async function readMarket({
  handle,
  marketData,
  logger,
  realNow,
}: Pick<TraderDependencies, 'handle' | 'marketData' | 'logger' | 'realNow'>): Promise<void> {
  const { database } = handle;
  const { clock, instruments, actions } = await createMarketWatch(marketData, database).look();
  const source = clock.mode === 'replay' ? 'import' : 'sandbox';
  const context = {
    marketData,
    database,
    logger,
    now: clock.now,
    instruments,
    actions,
    report: emptyReport(),
  };
  await ingestBars(context, createBarHistory(database, source), source);
}
