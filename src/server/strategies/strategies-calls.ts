import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { getClaim } from './get-claim.ts';
import { downloadEvidenceBars } from './evidence/download-evidence-bars.ts';
import { downloadEvidenceData } from './evidence/download-evidence-data.ts';
import { downloadTrades } from './trades/download-trades.ts';
import { getEvidence } from './evidence/get-evidence.ts';
import { getPerformance } from './get-performance.ts';
import { getStrategy } from './get-strategy.ts';
import { filterStrategies, listStrategies } from './list-strategies.ts';
import { listTrades } from './trades/list-trades.ts';
import { listWatched, unwatch, watch } from './watch-list.ts';

export const strategiesCalls: RoomCalls<typeof strategiesEndpoints> = {
  listStrategies,
  filterStrategies,
  getStrategy,
  getStrategyPerformance: getPerformance,
  getStrategyClaim: getClaim,
  listStrategyTrades: listTrades,
  downloadStrategyTrades: downloadTrades,
  getStrategyEvidence: getEvidence,
  getStrategyEvidenceData: downloadEvidenceData,
  getStrategyEvidenceBars: downloadEvidenceBars,
  listWatchedStrategies: listWatched,
  watchStrategy: watch,
  unwatchStrategy: unwatch,
};
