import { createHash } from 'node:crypto';
import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import type { PassportAnswer } from '#contract/strategies/evidence.ts';
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import { passportSeal } from '#engine/evidence/verify-statement.ts';
import type { Database } from '#records/postgres/database.ts';
import {
  getVersionDefinition,
  listBacktestSeries,
  listBacktestTrades,
} from '#records/strategies/strategies.ts';
import type { BacktestId } from '#units/identifiers.ts';
import { isoText } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import { isRefused } from '../../http/refusal.ts';
import { findShownStrategy } from '../find-shown-strategy.ts';
import { showEvidence } from './show-evidence.ts';

/** Everything is read from the same source as the screens; the hashes are computed from that data. */
export const getEvidence: Call<typeof strategiesEndpoints.getStrategyEvidence> = async (
  asked,
  dependencies,
) => {
  const { records } = dependencies;
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  const [definition, shown] = await Promise.all([
    getVersionDefinition(records.database, strategy.versionId),
    shownHashes(records.database, strategy.backtestId),
  ]);
  const name = strategy.slug.replace(/[^\w-]/g, '_');
  asked.reply.header('content-disposition', `inline; filename="${name}-evidence.json"`);
  const issued: Omit<PassportAnswer, 'seal'> = {
    format: 'bellwether-evidence/1',
    strategy: { id: strategy.id, name: strategy.name },
    version: {
      id: strategy.versionId,
      number: strategy.versionNumber,
      committed_at: isoText(strategy.committedAt),
    },
    first_date: strategy.firstDate,
    last_date: strategy.lastDate,
    as_of: isoText(strategy.dataAsOf),
    hashes: strategy.hashes,
    engine_version: strategy.engineVersion,
    definition: definition as PassportAnswer['definition'],
    costs: strategy.costs,
    figures: strategy.figures,
    samples: strategy.samples as PassportAnswer['samples'],
    chains: { ...strategy.barsRead.heads },
    shown,
    evidence: showEvidence(strategy),
  };
  return { ...issued, seal: passportSeal(issued) };
};

async function shownHashes(database: Database, id: BacktestId): Promise<PassportAnswer['shown']> {
  const [series, trades] = await Promise.all([
    listBacktestSeries(database, [id]),
    listBacktestTrades(database, id),
  ]);
  return { series: hashOf(series.get(id)), trades: hashOf(trades) };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
