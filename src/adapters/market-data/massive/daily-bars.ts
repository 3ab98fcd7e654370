// Daily bars of one share: raw prices of all exchanges.
import { z } from 'zod';
import type { Bar } from '#engine/market/instrument.ts';
import type { FeedBars, MarketDataAnswer } from '#ports/market-data.ts';
import { type Instant, type IsoDate, isoText, utcDate } from '#units/instant.ts';
import type { SpecialDays } from './listings.ts';
import { failure } from '../read-answer.ts';
import type { Requests } from './requests.ts';
import { sessionOf } from './sessions.ts';

export async function listDailyBars(
  requests: Requests,
  ticker: string,
  { from, to, special }: { readonly from: IsoDate; readonly to: IsoDate; readonly special: SpecialDays },
): Promise<MarketDataAnswer<FeedBars>> {
  const path = `/v2/aggs/ticker/${encodeURIComponent(ticker)}/range/1/day/${from}/${to}`;
  const rows = await requests.list(path, { adjusted: 'false', sort: 'asc', limit: '50000' });
  if (!rows.ok)
    return rows.code === 'not_subscribed'
      ? failure(
          rows.code,
          `${rows.message}: the bars of ${ticker} from ${from} on. Set MASSIVE_HISTORY_FROM to the first day of the plan`,
        )
      : rows;
  const bars: Bar[] = [];
  for (const row of rows.value) {
    const bar = dailyBarOf(row, special);
    if (typeof bar === 'string') return { ok: true, value: { bars, malformed: bar } };
    if (bar.date >= from && bar.date <= to) bars.push(bar);
  }
  return { ok: true, value: { bars, malformed: null } };
}

/** The bar in a row, or what is wrong with it. The vendor's day begins at midnight in New York. */
function dailyBarOf(row: unknown, special: SpecialDays): Bar | string {
  const read = ROW.safeParse(row);
  if (!read.success) return z.prettifyError(read.error);
  const { t, o, h, l, c, v } = read.data;
  const at = t as Instant;
  const session = sessionOf(utcDate(at), special);
  if (session === null) return `a bar of ${isoText(at)}, when the exchange has no session`;
  const { date, opensAt, closesAt } = session;
  return { date, openedAt: opensAt, closedAt: closesAt, open: o, high: h, low: l, close: c, volume: v };
}

const number = z.number();
const ROW = z.object({ t: z.int().positive(), o: number, h: number, l: number, c: number, v: number });
