import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import type { PublishedTrade } from '#engine/evidence/published-record.ts';
import { findPublicStrategy } from '#records/strategies/strategies.ts';
import { findDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { getRole } from '#records/identity/users.ts';
import { findNewestResult, readTradeLog } from '#records/results/trade-logs.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { refuseDeadToken, refuseFigures } from '../refuse-figures.ts';
import { mayWrite } from '../drafts/may-write.ts';
import { csvLine } from '../../answers/csv-line.ts';

/** A published result never changes; a newer one may follow with the next close. Not for caches that serve others: see refuseFigures. */
const PUBLIC_CACHE = 'private, max-age=60';

/** The complete trade log, oldest first; pnl in dollars, net of commission. A draft's is its author's. */
export const downloadTrades: Call<typeof strategiesEndpoints.downloadStrategyTrades> = async (
  { params, caller, request, reply },
  dependencies,
) => {
  const { records } = dependencies;
  const { database } = records;
  const dead = refuseDeadToken(caller, request);
  if (dead !== null) return dead;
  const strategy = await findPublicStrategy(database, params.id);
  if (strategy) {
    const hidden = await refuseFigures(caller, dependencies);
    if (hidden !== null) return hidden;
    describeFile(reply, { name: strategy.slug, cache: PUBLIC_CACHE });
    return Readable.from(linesOf(readTradeLog(database, strategy.backtestId)));
  }
  if (caller === null) return notFound();
  const writer = { userId: caller.userId, role: await getRole(database, caller.userId) };
  const draft = await findDraft(database, params.id);
  if (!draft || !mayWrite(writer, draft)) return notFound();
  const backtestId = await findNewestResult(database, draft.id);
  if (backtestId === undefined) return refuse('not_found', 'This strategy has no backtest result yet.');
  describeFile(reply, { name: 'draft', cache: 'no-store' });
  return Readable.from(linesOf(readTradeLog(database, backtestId)));
};

function describeFile(
  reply: FastifyReply,
  { name, cache }: { readonly name: string; readonly cache: string },
) {
  const fileName = `${name.replace(/[^\w-]/g, '_')}-trades.csv`;
  reply.header('content-disposition', `attachment; filename="${fileName}"`);
  reply.header('cache-control', cache);
}

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

async function* linesOf(parts: AsyncIterable<readonly PublishedTrade[]>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const part of parts) yield part.map(lineOf).join('');
}

function lineOf(trade: PublishedTrade): string {
  return csvLine(COLUMNS.map((column) => (column === 'pnl' ? trade.pnl_amount : trade[column])));
}
