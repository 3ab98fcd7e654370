import { Readable } from 'node:stream';
import type { strategiesEndpoints } from '#contract/strategies.ts';
import type { PublishedTrade } from '#engine/evidence/published-record.ts';
import { findPublicStrategy, listBacktestTrades } from '#records/strategies.ts';
import type { Call } from '../call.ts';
import { notFound } from '../refusal.ts';
import { csvLine } from './csv-line.ts';

/** The complete trade log, oldest first; pnl in dollars, net of commission. */
export const downloadTrades: Call<typeof strategiesEndpoints.downloadStrategyTrades> = async (
  { params, reply },
  { records },
) => {
  const strategy = await findPublicStrategy(records.database, params.id);
  if (!strategy) return notFound();
  const trades = await listBacktestTrades(records.database, strategy.backtestId);
  reply.header(
    'content-disposition',
    `attachment; filename="${strategy.slug.replace(/[^\w-]/g, '_')}-trades.csv"`,
  );
  return Readable.from(linesOf(trades));
};

const COLUMNS = [
  'symbol',
  'side',
  'entry_date',
  'exit_date',
  'entry_price',
  'exit_price',
  'quantity',
  'pnl',
] as const;

const TRADES_A_CHUNK = 500;

function* linesOf(trades: readonly PublishedTrade[]): Generator<string> {
  yield csvLine(COLUMNS);
  for (let from = 0; from < trades.length; from += TRADES_A_CHUNK) {
    yield trades
      .slice(from, from + TRADES_A_CHUNK)
      .map(lineOf)
      .join('');
  }
}

function lineOf(trade: PublishedTrade): string {
  return csvLine(COLUMNS.map((column) => (column === 'pnl' ? trade.pnl_amount : trade[column])));
}
