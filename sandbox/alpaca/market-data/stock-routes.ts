// Bars and snapshots of shares at the stand-in for Alpaca's market data.
import { session } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import {
  addDays,
  type Instant,
  instant,
  type IsoDate,
  isoText,
  parseInstant,
  utcDate,
} from '#units/instant.ts';
import { partRows } from '../../market/part-rows.ts';
import { barRow, dayStart, pageOf, partRow, snapshotRow, TIMEFRAMES } from './price-rows.ts';
import { type Get, NOT_SUBSCRIBED, RECENT_MS, sessionOn, type Settings } from './settings.ts';

export function stockRoutes(get: Get, settings: Settings): void {
  const { prices, now } = settings;
  const parts = { ...settings, sessionOn: (date: IsoDate) => sessionOn(date, settings) };
  const shares = prices.instruments.filter(({ kind }) => kind === 'equity');
  const isKnown = (symbol: string) => shares.some((one) => one.symbol === symbol);

  get('/v2/stocks/bars', (query, reply) => {
    const { feed = 'sip', timeframe, start = '', end = isoText(now()) } = query;
    const minutes = TIMEFRAMES.get(timeframe ?? '');
    if (timeframe !== '1Day' && minutes === undefined)
      return reply.code(400).send({ message: 'invalid timeframe' });
    if (query.adjustment !== undefined && query.adjustment !== 'raw')
      return reply.code(400).send({ message: 'the stand-in has raw bars' });
    if (isTooRecent(feed, end, settings)) return reply.code(403).send(NOT_SUBSCRIBED);
    const rows = (query.symbols ?? '')
      .split(',')
      .filter(isKnown)
      .flatMap((symbol) => {
        if (minutes !== undefined)
          return partRows(parts, symbol as Symbol, {
            start: parseInstant(start),
            end: parseInstant(end),
            minutes,
          }).map((row) => ({ symbol, row: partRow(row) }));
        const range = { from: day(start), to: day(end), asOf: barsAsOf(now(), settings) };
        return prices
          .dailyBars(symbol as Symbol, range)
          .filter(({ date }) => sessionOn(date, settings) !== null)
          .filter(({ date }) => isWithin(dayStart(date, 'share'), start, end))
          .map((bar) => ({ symbol, row: barRow(bar, 'share') }));
      });
    const size = Math.min(Number(query.limit ?? 1_000), settings.pageRows ?? 10_000);
    return pageOf(rows, { token: query.page_token, size });
  });

  get('/v2/stocks/snapshots', (query, reply) => {
    if (query.feed === 'sip' && settings.plan !== 'subscribed') return reply.code(403).send(NOT_SUBSCRIBED);
    const present = query.feed === 'delayed_sip' ? instant(now() - RECENT_MS) : now();
    const today = utcDate(present);
    const snapshots: Record<string, unknown> = {};
    for (const symbol of (query.symbols ?? '').split(',').filter(isKnown)) {
      const at = settings.halts?.get(symbol) ?? present;
      const quote = prices.quote(symbol as Symbol, at);
      const bars = prices.dailyBars(symbol as Symbol, { from: addDays(today, -10), to: today, asOf: at });
      if (quote === null) continue;
      const traded = isoText(quote.open ? at : (bars.at(-1)?.closedAt ?? at));
      snapshots[symbol] = snapshotRow(quote, traded, { bars: bars.slice(-2), kind: 'share' });
    }
    return snapshots;
  });
}

/** After an early close the market behind the stand-in still trades; its bar of the day is there all the same. */
function barsAsOf(at: Instant, settings: Settings): Instant {
  const [usual, held] = [session('us-equity', utcDate(at)), sessionOn(utcDate(at), settings)];
  return usual !== null && held !== null && held.closesAt <= at && at < usual.closesAt ? usual.closesAt : at;
}

function isTooRecent(feed: string, end: string, { plan, now }: Settings): boolean {
  return feed === 'sip' && plan !== 'subscribed' && Date.parse(end) > now() - RECENT_MS;
}

export function isWithin(at: number, start: string, end: string): boolean {
  return at >= Date.parse(start) && at <= Date.parse(end);
}

export function day(text: string): IsoDate {
  return text.slice(0, 10) as IsoDate;
}
