// The chain of seals over the bars of a series: a changed old bar breaks it at that day. It is written here;
// changed-bars.ts finds where it is broken.
import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Bar } from '#engine/market/instrument.ts';
import type { IsoDate } from '#units/instant.ts';
import type { BarKey } from './bar-key.ts';
import type { Tables } from '../tables.ts';

/** The end of a chain: how many bars were ever written, and the seal of the last. */
type ChainHead = { readonly link: number; readonly seal: Buffer };

export type SealedBar = Bar & ChainHead;

/** Seals new bars in their order, each over the one before. */
export function sealBars(head: ChainHead, bars: readonly Bar[]): SealedBar[] {
  let { link, seal } = head;
  return bars.map((bar) => {
    link += 1;
    seal = barSeal(seal, bar);
    return { ...bar, link, seal };
  });
}

/** Blocks other writers of the series until the transaction ends, and returns the end of its chain. */
export async function lockChain(transaction: Kysely<Tables>, key: BarKey): Promise<ChainHead> {
  const name = nameOf(key);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 13))`.execute(transaction);
  const { rows } = await sql<ChainHead>`
    select link, seal from bar_heads
    where symbol = ${key.symbol} and interval = ${key.interval} and source = ${key.source}
    order by id desc limit 1`.execute(transaction);
  return rows[0] ?? { link: 0, seal: hash('sha256', name, 'buffer') };
}

export async function writeHead(
  transaction: Kysely<Tables>,
  key: BarKey,
  head: ChainHead & { readonly kind: 'added' | 'removed'; readonly date: IsoDate },
): Promise<void> {
  await sql`
    insert into bar_heads (symbol, interval, source, kind, link, date, seal)
    values (${key.symbol}, ${key.interval}, ${key.source}, ${head.kind}, ${head.link}, ${head.date}, ${head.seal})`.execute(
    transaction,
  );
}

/** Same as the function bar_seal of the database, which checks the chain. */
function barSeal(previous: Buffer, bar: Bar): Buffer {
  const bytes = Buffer.allocUnsafe(SEAL_BYTES + 8 + 8 + DATE_BYTES + 5 * 8);
  let at = previous.copy(bytes);
  at = bytes.writeBigInt64BE(BigInt(bar.closedAt), at);
  at = bytes.writeBigInt64BE(BigInt(bar.openedAt), at);
  at += bytes.write(bar.date, at, 'latin1');
  for (const value of [bar.open, bar.high, bar.low, bar.close, bar.volume])
    at = bytes.writeDoubleBE(value, at);
  return hash('sha256', bytes, 'buffer');
}

function nameOf({ symbol, interval, source }: BarKey): string {
  return `${symbol}|${interval}|${source}`;
}

const SEAL_BYTES = 32;
const DATE_BYTES = 10;
