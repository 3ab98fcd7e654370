// A stand-in for the REST API of Massive (formerly Polygon.io) over a market's prices, written against the vendor's
// published description alone: aggregates, snapshots, tickers and their events, splits, dividends, market status and holidays.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newYorkInstant, weekday } from '#engine/market/calendar-new-york-time.ts';
import { hours, session, sessionAt } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import { partRows } from '#sandbox/market/part-rows.ts';
import type { PriceSource, ShareAction } from '#sandbox/market/price-source.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, isoText, SECOND_MS, utcDate } from '#units/instant.ts';

type Settings = {
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly apiKey: string;
  /** basic: end of the day and two years, no snapshots. advanced: everything, in real time. */
  readonly plan?: 'basic' | 'advanced';
  /** Rows of a page at most, below the vendor's limits. */
  readonly pageRows?: number;
  /** Minutes in which nothing trades. */
  readonly untraded?: (symbol: Symbol, minute: Instant) => boolean;
  /** The exchange closes on a day that the rules do not know. */
  readonly closedOn?: ReadonlySet<IsoDate>;
};

export function mountMassive(app: FastifyInstance, settings: Settings): void {
  const { prices, now } = settings;
  const find = (symbol: string) =>
    prices.instruments.find((one) => one.symbol === symbol && one.kind === 'equity');
  const isClosed = (date: IsoDate) => settings.closedOn?.has(date) === true;

  /** Answers unless the key is wrong. */
  const get = (
    path: string,
    answer: (query: Query, reply: FastifyReply, request: FastifyRequest) => unknown,
  ) =>
    app.get(path, (request, reply) => {
      const query = request.query as Query;
      const key = request.headers.authorization?.replace(/^Bearer /, '') ?? query.apiKey;
      if (key !== settings.apiKey)
        return reply
          .code(401)
          .send({ status: 'ERROR', request_id: REQUEST_ID, error: key ? UNKNOWN_KEY : NO_KEY });
      return answer(query, reply, request);
    });
  const page = (rows: readonly unknown[], query: Query, request: FastifyRequest) => {
    const from = Number(query.cursor ?? 0);
    const size = Math.min(Number(query.limit ?? 5_000), settings.pageRows ?? 50_000);
    const results = rows.slice(from, from + size);
    const [path] = request.url.split('?');
    const rest = new URLSearchParams({ ...(query as Record<string, string>), cursor: String(from + size) });
    return {
      status: 'OK',
      request_id: REQUEST_ID,
      ...(results.length > 0 && { results }),
      ...(from + size < rows.length && { next_url: `https://api.massive.com${path}?${rest}` }),
    };
  };

  get('/v2/aggs/ticker/:ticker/range/1/day/:from/:to', (query, reply, request) => {
    const { ticker, from, to } = request.params as { ticker: string; from: IsoDate; to: IsoDate };
    if (settings.plan === 'basic' && from < addDays(utcDate(now()), -TWO_YEARS))
      return refuse(reply, "Your plan doesn't include this data timeframe. Please upgrade your plan");
    if (query.adjusted !== 'false')
      return reply.code(400).send({ status: 'ERROR', error: 'the stand-in has prices as they were' });
    const bars = find(ticker) ? prices.dailyBars(ticker as Symbol, { from, to, asOf: now() }) : [];
    const rows = bars.filter(({ date }) => !isClosed(date)).map(aggregate);
    return { ticker, adjusted: false, ...page(rows, query, request) };
  });

  get('/v2/aggs/ticker/:ticker/range/:minutes/minute/:from/:to', (query, reply, request) => {
    const { ticker, minutes, from, to } = request.params as Record<
      'ticker' | 'minutes' | 'from' | 'to',
      string
    >;
    if (settings.plan === 'basic') return refuse(reply, 'You are not entitled to this data.');
    const span = { start: Number(from) as Instant, end: Number(to) as Instant, minutes: Number(minutes) };
    const sessionOn = (date: IsoDate) => (isClosed(date) ? null : session('us-equity', date));
    const rows = find(ticker) ? partRows({ ...settings, sessionOn }, ticker as Symbol, span) : [];
    return {
      ticker,
      adjusted: false,
      ...page(
        rows.map((row) => ({ ...row, vw: row.c })),
        query,
        request,
      ),
    };
  });

  get('/v2/snapshot/locale/us/markets/stocks/tickers', (query, reply) => {
    if (settings.plan === 'basic') return refuse(reply, 'You are not entitled to this data.');
    const tickers = (query.tickers ?? '').split(',').flatMap((symbol) => {
      const found = find(symbol);
      return found === undefined ? [] : (snapshot(found.symbol, prices, now()) ?? []);
    });
    return { status: 'OK', count: tickers.length, tickers };
  });

  get('/v3/reference/tickers/:ticker', (_query, reply, request) => {
    const { ticker } = request.params as { ticker: string };
    const found = prices.instruments.find(({ symbol }) => symbol === ticker);
    if (found === undefined)
      return reply
        .code(404)
        .send({ status: 'NOT_FOUND', request_id: REQUEST_ID, message: 'Ticker not found.' });
    return {
      status: 'OK',
      request_id: REQUEST_ID,
      results: {
        ticker,
        name: found.name,
        market: found.kind === 'equity' ? 'stocks' : 'crypto',
        locale: 'us',
        primary_exchange: 'XNYS',
        type: 'CS',
        active: true,
        currency_name: 'usd',
        composite_figi: figiOf(ticker),
      },
    };
  });

  get('/vX/reference/tickers/:id/events', (_query, reply, request) => {
    const { id } = request.params as { id: string };
    const found = prices.instruments.find(({ symbol }) => figiOf(symbol) === id || symbol === id);
    if (found === undefined)
      return reply
        .code(404)
        .send({ status: 'NOT_FOUND', request_id: REQUEST_ID, message: 'Events not found.' });
    const first = { type: 'ticker_change', date: LISTED_ON, ticker_change: { ticker: found.symbol } };
    return {
      status: 'OK',
      request_id: REQUEST_ID,
      results: { name: found.name, composite_figi: figiOf(found.symbol), events: [first] },
    };
  });

  const actionsOf = (kind: ShareAction['kind'], symbols: string | undefined) =>
    (prices.actions?.(now()) ?? []).filter(
      (one) => one.kind === kind && (symbols ?? '').split(',').includes(one.symbol),
    );

  get('/stocks/v1/splits', (query, _reply, request) => {
    const rows = actionsOf('split', query['ticker.any_of']).map(({ symbol, exDate, amount }) => ({
      id: `${symbol}-${exDate}`,
      ticker: symbol,
      execution_date: exDate,
      split_from: amount < 1 ? 1 / amount : 1,
      split_to: amount < 1 ? 1 : amount,
      adjustment_type: amount < 1 ? 'reverse_split' : 'forward_split',
    }));
    return page(within(rows, query, 'execution_date'), query, request);
  });

  get('/stocks/v1/dividends', (query, _reply, request) => {
    const rows = actionsOf('dividend', query['ticker.any_of']).map(({ symbol, exDate, amount }) => ({
      id: `${symbol}-${exDate}`,
      ticker: symbol,
      ex_dividend_date: exDate,
      cash_amount: amount,
      currency: 'USD',
      distribution_type: 'recurring',
      frequency: 4,
    }));
    return page(within(rows, query, 'ex_dividend_date'), query, request);
  });

  get('/v1/marketstatus/now', () => {
    const at = now();
    const open = sessionAt('us-equity', at);
    const market = open === null || isClosed(open.date) ? 'closed' : 'open';
    return {
      market,
      afterHours: false,
      earlyHours: false,
      serverTime: isoText((at - (at % SECOND_MS)) as Instant).replace('.000Z', '+00:00'),
      exchanges: { nyse: market, nasdaq: market, otc: market },
      currencies: { fx: 'open', crypto: 'open' },
    };
  });

  get('/v1/marketstatus/upcoming', () => upcoming(utcDate(now()), isClosed));
}

type Query = Readonly<Record<string, string | undefined>>;

const REQUEST_ID = '6a7e466379af0a71039d60cc78e72282';
const UNKNOWN_KEY = 'Unknown API Key';
const NO_KEY = 'API Key was not provided';
const TWO_YEARS = 730;
const LISTED_ON = '2003-09-10';
const YEAR_DAYS = 365;
const NANOSECONDS_PER_MS = 1e6;

/** A share here keeps its ticker, so that a number can be made of it. */
function figiOf(ticker: string): string {
  return `BBG${ticker.padEnd(9, '0').slice(0, 9)}`;
}

function refuse(reply: FastifyReply, message: string) {
  return reply.code(403).send({ status: 'NOT_AUTHORIZED', request_id: REQUEST_ID, message });
}

function within<Row extends Readonly<Record<string, unknown>>>(
  rows: readonly Row[],
  query: Query,
  field: string,
): readonly Row[] {
  const day = (row: Row) => String(row[field]);
  return rows
    .filter((row) => day(row) >= (query[`${field}.gte`] ?? '') && day(row) <= (query[`${field}.lte`] ?? '9'))
    .toSorted((left, right) => day(left).localeCompare(day(right)));
}

function aggregate({ date, open, high, low, close, volume }: Bar) {
  return { t: newYorkInstant(date, 0), o: open, h: high, l: low, c: close, v: volume, n: 1, vw: close };
}

function snapshot(symbol: Symbol, prices: PriceSource, at: Instant) {
  const quote = prices.quote(symbol, at);
  if (quote === null) return null;
  const today = utcDate(at);
  const before = prices.dailyBars(symbol, { from: addDays(today, -10), to: today, asOf: at }).at(-1);
  const traded = (quote.open ? at : (before?.closedAt ?? at)) * NANOSECONDS_PER_MS;
  const { last, bid, ask } = quote;
  return {
    ticker: symbol,
    todaysChange: 0,
    todaysChangePerc: 0,
    updated: traded,
    lastTrade: { c: [14], i: '1', p: last, s: 100, t: traded, x: 4 },
    lastQuote: { P: ask, S: 1, p: bid, s: 1, t: traded },
    ...(before && {
      prevDay: { o: before.open, h: before.high, l: before.low, c: before.close, v: before.volume },
    }),
  };
}

/** Once for each exchange, as the vendor does. */
function upcoming(today: IsoDate, isClosed: (date: IsoDate) => boolean) {
  const days = Array.from({ length: YEAR_DAYS }, (_, index) => addDays(today, index));
  return days.flatMap((date) => {
    if ([0, 6].includes(weekday(date))) return [];
    const found = isClosed(date) ? null : session('us-equity', date);
    if (found !== null && found.closesAt - found.opensAt === FULL_DAY_MS) return [];
    const { opensAt, closesAt } = hours('us-equity', date);
    const early = { status: 'early-close', open: isoText(opensAt), close: isoText(closesAt) };
    return ['NYSE', 'NASDAQ'].map((exchange) => ({
      exchange,
      name: 'A special day',
      date,
      ...(found === null ? { status: 'closed' } : early),
    }));
  });
}

const FULL_DAY_MS = 6.5 * 3_600 * SECOND_MS;
