// A stand-in for Alpaca's market data over a market's prices, and for what its trading API says about shares, days and time:
// written against the vendor's descriptions alone. Bars, snapshots, corporate actions, assets, calendar and clock.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addDays, type Instant, type IsoDate, isoText, MINUTE_MS, utcDate } from '#units/instant.ts';
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import { nextSession, type Session, session, sessionAt } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import type { Symbol } from '#units/identifiers.ts';

type Plan = 'free' | 'subscribed';

type Settings = {
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly keys: { readonly id: string; readonly secret: string };
  /** The free plan has the prices of all exchanges a quarter of an hour late. */
  readonly plan?: Plan;
  /** Rows of a page of bars at most, below the vendor's 10,000. */
  readonly pageRows?: number;
  /** The exchange closes on a day that the rules do not know. */
  readonly closedOn?: ReadonlySet<IsoDate>;
};

export function mountAlpacaMarketData(app: FastifyInstance, settings: Settings): void {
  const { prices, now } = settings;
  const shares = prices.instruments.filter(({ kind }) => kind === 'equity');
  const isKnown = (symbol: string) => shares.some((one) => one.symbol === symbol);
  const sessionOf = (date: IsoDate) =>
    settings.closedOn?.has(date) === true ? null : session('us-equity', date);

  /** Answers unless the keys are wrong. */
  const get = (
    path: string,
    answer: (query: Query, reply: FastifyReply, request: FastifyRequest) => unknown,
  ) =>
    app.get(path, (request, reply) => {
      const { 'apca-api-key-id': id, 'apca-api-secret-key': secret } = request.headers;
      if (id !== settings.keys.id || secret !== settings.keys.secret)
        return reply.code(403).send({ message: 'forbidden.' });
      return answer(request.query as Query, reply, request);
    });

  get('/v2/stocks/bars', (query, reply) => {
    const symbols = (query.symbols ?? '').split(',');
    const { feed = 'sip', timeframe, start = '', end = isoText(now()) } = query;
    if (timeframe !== '1Day') return reply.code(400).send({ message: 'invalid timeframe' });
    if (query.adjustment !== undefined && query.adjustment !== 'raw')
      return reply.code(400).send({ message: 'the stand-in has raw bars' });
    if (isTooRecent(feed, end, settings)) return reply.code(403).send(NOT_SUBSCRIBED);
    const rows = symbols.filter(isKnown).flatMap((symbol) => {
      const range = { from: day(start), to: day(end), asOf: now() };
      return prices
        .dailyBars(symbol as Symbol, range)
        .filter(({ date }) => sessionOf(date) !== null)
        .filter(({ date }) => midnight(date) >= Date.parse(start) && midnight(date) <= Date.parse(end))
        .map((bar) => ({ symbol, bar }));
    });
    const from = query.page_token === undefined ? 0 : Number(query.page_token);
    const size = Math.min(Number(query.limit ?? 1_000), settings.pageRows ?? 10_000);
    const page = rows.slice(from, from + size);
    const bars: Record<string, unknown[]> = {};
    for (const { symbol, bar } of page) (bars[symbol] ??= []).push(barRow(bar));
    return { bars, next_page_token: from + size < rows.length ? String(from + size) : null };
  });

  get('/v2/stocks/snapshots', (query, reply) => {
    if (query.feed === 'sip' && settings.plan !== 'subscribed') return reply.code(403).send(NOT_SUBSCRIBED);
    const at = now();
    const snapshots: Record<string, unknown> = {};
    for (const symbol of (query.symbols ?? '').split(',').filter(isKnown)) {
      const quote = prices.quote(symbol as Symbol, at);
      const today = utcDate(at);
      const bars = prices.dailyBars(symbol as Symbol, { from: addDays(today, -10), to: today, asOf: at });
      if (quote === null) continue;
      const traded = isoText(quote.open ? at : (bars.at(-1)?.closedAt ?? at));
      snapshots[symbol] = snapshotRow(quote, traded, bars.slice(-2));
    }
    return snapshots;
  });

  get('/v1/corporate-actions', (query) => {
    const symbols = (query.symbols ?? '').split(',');
    const wanted = (prices.actions?.(now()) ?? []).filter(
      ({ symbol, exDate }) =>
        symbols.includes(symbol) && exDate >= (query.start ?? '') && exDate <= (query.end ?? '9999'),
    );
    const rowOf = ({ symbol, exDate }: { symbol: Symbol; exDate: IsoDate }) => ({
      id: `${symbol}-${exDate}`,
      symbol,
      cusip: 'CUSIP',
      ex_date: exDate,
      process_date: exDate,
    });
    const dividends = wanted.filter(({ kind }) => kind === 'dividend');
    const splits = wanted.filter(({ kind, amount }) => kind === 'split' && amount > 1);
    const reverse = wanted.filter(({ kind, amount }) => kind === 'split' && amount < 1);
    return {
      corporate_actions: {
        ...(dividends.length > 0 && {
          cash_dividends: dividends.map((one) => ({
            ...rowOf(one),
            rate: one.amount,
            special: false,
            foreign: false,
          })),
        }),
        ...(splits.length > 0 && {
          forward_splits: splits.map((one) => ({ ...rowOf(one), new_rate: one.amount, old_rate: 1 })),
        }),
        ...(reverse.length > 0 && {
          reverse_splits: reverse.map((one) => ({ ...rowOf(one), new_rate: 1, old_rate: 1 / one.amount })),
        }),
      },
      next_page_token: null,
    };
  });

  get('/v2/assets/:symbol', (_query, reply, request) => {
    const { symbol } = request.params as { symbol: string };
    const found = prices.instruments.find((one) => one.symbol === symbol);
    if (found === undefined)
      return reply.code(404).send({ code: 40_410_000, message: `asset not found for ${symbol}` });
    return {
      id: '904837e3-3b76-47ec-b432-046db621571b',
      class: found.kind === 'equity' ? 'us_equity' : 'crypto',
      exchange: 'NYSE',
      symbol,
      name: found.name,
      status: 'active',
      tradable: true,
      marginable: true,
      shortable: true,
      easy_to_borrow: true,
      fractionable: true,
    };
  });

  get('/v2/calendar', (query) => {
    const days = [];
    for (let date = day(query.start ?? '2026-01-01'); date <= (query.end ?? ''); date = addDays(date, 1)) {
      const found = sessionOf(date);
      if (found !== null) days.push(calendarRow(found));
    }
    return days;
  });

  get('/v2/clock', () => {
    const at = now();
    const open = sessionAt('us-equity', at);
    const current = open !== null && sessionOf(open.date) !== null ? open : null;
    let next = nextSession('us-equity', at);
    while (sessionOf(next.date) === null) next = nextSession('us-equity', next.opensAt);
    return {
      timestamp: isoText(at),
      is_open: current !== null,
      next_open: isoText(next.opensAt),
      next_close: isoText((current ?? next).closesAt),
    };
  });
}

type Query = Readonly<Record<string, string | undefined>>;

const NOT_SUBSCRIBED = { message: 'subscription does not permit querying recent SIP data' };
const RECENT_MS = 15 * MINUTE_MS;

function isTooRecent(feed: string, end: string, { plan, now }: Settings): boolean {
  return feed === 'sip' && plan !== 'subscribed' && Date.parse(end) > now() - RECENT_MS;
}

function day(text: string): IsoDate {
  return text.slice(0, 10) as IsoDate;
}

function midnight(date: IsoDate): Instant {
  return newYorkInstant(date, 0);
}

function barRow({ date, open, high, low, close, volume }: Bar) {
  return { t: isoText(midnight(date)), o: open, h: high, l: low, c: close, v: volume, n: 1, vw: close };
}

/** The newest two days; the minute bar is the price of now. */
function snapshotRow(quote: { last: number; bid: number; ask: number }, t: string, bars: readonly Bar[]) {
  const { last: c, bid: bp, ask: ap } = quote;
  const [before, newest] = bars.length === 2 ? bars : [undefined, bars[0]];
  return {
    latestTrade: { t, x: 'V', p: c, s: 100, c: ['@'], i: 1, z: 'C' },
    latestQuote: { t, ax: 'V', ap, as: 1, bx: 'V', bp, bs: 1, c: ['R'], z: 'C' },
    minuteBar: { t, o: c, h: c, l: c, c, v: 100, n: 1, vw: c },
    ...(newest && { dailyBar: barRow(newest) }),
    ...(before && { prevDailyBar: barRow(before) }),
  };
}

function calendarRow({ date, opensAt, closesAt }: Session) {
  const clock = (at: Instant) => {
    const minutes = (at - newYorkInstant(date, 0)) / MINUTE_MS;
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  };
  return {
    date,
    open: clock(opensAt),
    close: clock(closesAt),
    session_open: '0400',
    session_close: '2000',
    settlement_date: addDays(date, 1),
  };
}
