// Daily bars of one share, or of an option on it: raw prices of all exchanges, day by the vendor's own sessions.
import type { Session } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { FeedBars, MarketDataAnswer } from '#ports/market-data.ts';
import { type Instant, type IsoDate, isoText, MINUTE_MS, utcDate } from '#units/instant.ts';
import { failure } from '../read-answer.ts';
import type { Requests } from './requests.ts';
import { parseBar, parseBarPage } from './rows.ts';

export type Sessions = ReadonlyMap<IsoDate, Session>;

/**
 * A bar of a day is asked for only after this: the free plan has the prices of all exchanges a quarter of an hour late,
 * and the auction's prints arrive after the close.
 */
export const BAR_DELAY_MS = 20 * MINUTE_MS;
/** The vendor's history of shares begins in 2016. */
export const HISTORY_FROM = '2016-01-01' as IsoDate;

/** The days of a range whose bars are complete; null when there are none. */
export function completeDays(
  sessions: Sessions,
  { from, to, now }: { readonly from: IsoDate; readonly to: IsoDate; readonly now: number },
): { readonly from: IsoDate; readonly to: IsoDate } | null {
  const days = [...sessions.values()].filter(
    ({ date, closesAt }) => date >= from && date <= to && closesAt + BAR_DELAY_MS <= now,
  );
  const [first] = days;
  const last = days.at(-1);
  return first === undefined || last === undefined ? null : { from: first.date, to: last.date };
}

/** By the vendor's name. */
export type Barred = { readonly ticker: string; readonly kind: 'equity' | 'options' };

const PATHS: { readonly [Kind in Barred['kind']]: string } = {
  equity: '/v2/stocks/bars',
  options: '/v1beta1/options/bars',
};

/** Every page of them. A list that does not end is a failure: half a history would look like a whole one. */
export async function listDailyBars(
  requests: Requests,
  { ticker, kind }: Barred,
  { from, to, sessions }: { readonly from: IsoDate; readonly to: IsoDate; readonly sessions: Sessions },
): Promise<MarketDataAnswer<FeedBars>> {
  const last = sessions.get(to);
  if (last === undefined) return failure('malformed', `the vendor’s calendar has no session on ${to}`);
  const query = {
    symbols: ticker,
    timeframe: '1Day',
    ...(kind === 'equity' && { adjustment: 'raw', feed: 'sip' }),
    start: `${from}T00:00:00Z`,
    // Before the delay: the free plan refuses to be asked about the last quarter of an hour.
    end: isoText((last.closesAt + MINUTE_MS) as Instant),
    limit: '10000',
  };
  const bars: Bar[] = [];
  const seen = new Set<string>();
  let token: string | null = null;
  do {
    const paged: Readonly<Record<string, string>> = token === null ? query : { ...query, page_token: token };
    const page = await requests.data(PATHS[kind], paged, parseBarPage);
    if (!page.ok) return page;
    for (const row of page.value.rows.get(ticker) ?? []) {
      const bar = dailyBarOf(row, sessions);
      if (typeof bar === 'string') return { ok: true, value: { bars, malformed: bar } };
      if (bar.date >= from && bar.date <= to) bars.push(bar);
    }
    token = page.value.nextToken;
    if (token !== null && seen.has(token))
      return failure('malformed', 'the vendor repeats a page: the list has no end');
    if (token !== null) seen.add(token);
  } while (token !== null);
  return { ok: true, value: { bars, malformed: null } };
}

/** The vendor's day begins at midnight in New York. */
function dailyBarOf(row: unknown, sessions: Sessions): Bar | string {
  const read = parseBar(row);
  if (typeof read === 'string') return read;
  const { t, o, h, l, c, v } = read;
  const session = sessions.get(utcDate(t));
  if (session === undefined) return `a bar of ${isoText(t)}, when the vendor’s calendar has no session`;
  const { date, opensAt, closesAt } = session;
  return { date, openedAt: opensAt, closedAt: closesAt, open: o, high: h, low: l, close: c, volume: v };
}
