import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import type { PublishedTrade } from '#engine/evidence/published-record.ts';
import { findPublicStrategy } from '#records/strategies/strategies.ts';
import { readTradeLog, takeTradeLogLink } from '#records/results/trade-logs.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { refuseDeadToken, refuseFigures } from '../refuse-figures.ts';
import { linkHash } from './create-trade-log-link.ts';
import { csvLine } from '../../answers/csv-line.ts';

/** A published result never changes; a newer one may follow with the next close. Not for caches that serve others: see refuseFigures. */
const PUBLIC_CACHE = 'private, max-age=60';

/** The complete trade log, oldest first; pnl in dollars, net of commission. A draft's needs a link, which it uses up. */
export const downloadTrades: Call<typeof strategiesEndpoints.downloadStrategyTrades> = async (
  { params, query, caller, request, reply },
  dependencies,
) => {
  const { records, now } = dependencies;
  const { database } = records;
  const dead = refuseDeadToken(caller, request);
  if (dead !== null) return dead;
  const strategy = await findPublicStrategy(database, params.id);
  if (strategy) {
    // A link of a page carries no token: whoever follows it counts as a visitor.
    const hidden = await refuseFigures(caller, dependencies);
    if (hidden !== null) return hidden;
    describeFile(reply, { name: strategy.slug, cache: PUBLIC_CACHE });
    return Readable.from(linesOf(readTradeLog(database, strategy.backtestId)));
  }
  // A request that only checks whether the address exists must not use up the link.
  if (query.link === undefined || request.method === 'HEAD') return notFound();
  const link = { hash: linkHash(query.link), strategyId: params.id, at: now() };
  const backtestId = await takeTradeLogLink(database, link);
  if (backtestId === undefined) return refuse('invalid_token', USED);
  describeFile(reply, { name: 'draft', cache: 'no-store' });
  return Readable.from(linesOf(readTradeLog(database, backtestId)));
};

const USED = 'This link has expired or was already used. Please start the download again.';

function describeFile(
  reply: FastifyReply,
  { name, cache }: { readonly name: string; readonly cache: string },
) {
  const fileName = `${name.replace(/[^\w-]/g, '_')}-trades.csv`;
  reply.header('content-disposition', `attachment; filename="${fileName}"`);
  reply.header('cache-control', cache);
  // The address contains the link's secret.
  reply.header('referrer-policy', 'no-referrer');
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
