// The market data port over Alpaca's market data and trading APIs: United States shares and funds in real time.
import { addDays, HOUR_MS, instant, type IsoDate, MINUTE_MS, SECOND_MS, utcDate } from '#units/instant.ts';
import type { Session } from '#engine/market/calendar.ts';
import type { DailyBars, MarketDataAnswer, MarketDataFeed, MarketQuote } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type ActionPage, parseActionPage } from './actions.ts';
import type { AlpacaFeedConfig } from './config.ts';
import { completeDays, HISTORY_FROM, listDailyBars, type Sessions } from './daily-bars.ts';
import { keepAnswer } from './keep-answer.ts';
import { type Asset, parseAsset, parseSessions, shareOf } from './listings.ts';
import { createRequests, failure, type Requests } from './requests.ts';
import { parseSnapshots, type Snapshot } from './rows.ts';
import { checkedClock } from './vendor-clock.ts';

export function alpacaFeed(config: AlpacaFeedConfig): MarketDataFeed {
  const now = config.now ?? Date.now;
  const requests = createRequests(config);
  const clock = checkedClock(requests, now);
  const today = () => utcDate(instant(now()));
  const assets = keepAnswer(HOUR_MS, now, () => listAssets(requests, config.symbols));
  const sessions = keepAnswer(HOUR_MS, now, () => listSessions(requests, addDays(today(), CALENDAR_DAYS)));
  const actions = keepAnswer(10 * MINUTE_MS, now, async () => {
    const days = await sessions();
    if (!days.ok) return days;
    return listActions(requests, config.symbols, nextDay(days.value, now()));
  });
  const snapshots = keepAnswer(QUOTES_MS, now, () => {
    const query = { symbols: config.symbols.join(','), feed: config.feed };
    return requests.data('/v2/stocks/snapshots', query, parseSnapshots);
  });
  const bars = new Map<
    Symbol,
    { readonly range: string; readonly list: () => Promise<MarketDataAnswer<DailyBars>> }
  >();
  const unknown = (symbols: readonly Symbol[]) => symbols.find((symbol) => !config.symbols.includes(symbol));

  return {
    async instruments() {
      const listed = await assets();
      return listed.ok ? { ok: true, value: listed.value.map(shareOf) } : listed;
    },
    async clock() {
      const read = await clock.read();
      if (!read.ok) return read;
      const value = {
        now: read.value,
        daySeconds: 86_400,
        mode: 'live',
        paused: false,
        endsAt: null,
      } as const;
      return { ok: true, value };
    },
    async dailyBars(symbol, from, to) {
      if (unknown([symbol]) !== undefined) return noInstrument(symbol);
      const days = await sessions();
      if (!days.ok) return days;
      const complete = completeDays(days.value, { from, to, now: now() });
      if (complete === null) return { ok: true, value: { bars: [], malformed: null } };
      const range = `${complete.from} ${complete.to}`;
      let kept = bars.get(symbol);
      if (kept?.range !== range) {
        const list = () => listDailyBars(requests, symbol, { ...complete, sessions: days.value });
        kept = { range, list: keepAnswer(MINUTE_MS, now, list) };
        bars.set(symbol, kept);
      }
      return kept.list();
    },
    async corporateActions() {
      const listed = await actions();
      return listed.ok ? { ok: true, value: listed.value.actions } : listed;
    },
    async quotes(symbols) {
      const strange = unknown(symbols);
      if (strange !== undefined) return noInstrument(strange);
      const [timed, listed, changed, found] = await Promise.all([
        clock.read(),
        assets(),
        actions(),
        snapshots(),
      ]);
      if (!timed.ok) return timed;
      if (!listed.ok) return listed;
      if (!changed.ok) return changed;
      if (!found.ok) return found;
      const halted = haltedSymbols(listed.value, changed.value, today());
      const isOpen = clock.isOpen(timed.value);
      const priced = symbols.filter((symbol) => !halted.has(symbol));
      const quotes = priced.flatMap((symbol) => quoteOf(symbol, found.value.get(symbol), isOpen) ?? []);
      return { ok: true, value: quotes };
    },
  };
}

/** Nothing is decided on a share without a price: neither on one that is not tradable, nor on one that becomes another. */
function haltedSymbols(
  assets: readonly Asset[],
  { changes }: ActionPage,
  today: IsoDate,
): ReadonlySet<Symbol> {
  const since = addDays(today, -CHANGE_DAYS);
  return new Set([
    ...assets.filter(({ isTradable }) => !isTradable).map(({ symbol }) => symbol),
    ...changes.filter(({ date }) => date >= since).map(({ symbol }) => symbol),
  ]);
}

/** A side of the book without an order has no price of its own; the last trade's takes its place. */
function quoteOf(symbol: Symbol, snapshot: Snapshot | undefined, open: boolean): MarketQuote | null {
  if (!snapshot?.trade) return null;
  const { price, at } = snapshot.trade;
  return { symbol, last: price, bid: snapshot.bid ?? price, ask: snapshot.ask ?? price, open, at };
}

async function listAssets(
  requests: Requests,
  symbols: readonly string[],
): Promise<MarketDataAnswer<readonly Asset[]>> {
  const assets: Asset[] = [];
  for (const symbol of symbols) {
    const answer = await requests.trading(`/v2/assets/${encodeURIComponent(symbol)}`, {}, parseAsset);
    if (!answer.ok)
      return answer.code === 'unknown_symbol'
        ? failure('unknown_symbol', `Alpaca has no share called ${symbol}: correct MARKET_SYMBOLS`)
        : answer;
    if (answer.value.symbol !== symbol)
      return failure('malformed', `asked for ${symbol}, Alpaca answers about ${answer.value.symbol}`);
    if (answer.value.class !== 'us_equity')
      return failure(
        'refused',
        `${symbol} is ${answer.value.class}; the live market has shares and funds: correct MARKET_SYMBOLS`,
      );
    assets.push(answer.value);
  }
  return { ok: true, value: assets };
}

async function listSessions(requests: Requests, end: IsoDate): Promise<MarketDataAnswer<Sessions>> {
  const answer = await requests.trading('/v2/calendar', { start: HISTORY_FROM, end }, parseSessions);
  if (!answer.ok) return answer;
  return { ok: true, value: new Map(answer.value.map((one) => [one.date, one])) };
}

/** The trading day of the next opening, whose splits and dividends are known already. */
function nextDay(sessions: Sessions, now: number): IsoDate {
  const next = [...sessions.values()].find(({ opensAt }: Session) => opensAt > now);
  return next?.date ?? utcDate(instant(now));
}

async function listActions(
  requests: Requests,
  symbols: readonly string[],
  end: IsoDate,
): Promise<MarketDataAnswer<ActionPage>> {
  const query = { symbols: symbols.join(','), start: HISTORY_FROM, end, limit: '1000', sort: 'asc' };
  const pages: ActionPage[] = [];
  const seen = new Set<string>();
  let token: string | null = null;
  do {
    const paged: Readonly<Record<string, string>> = token === null ? query : { ...query, page_token: token };
    const page: MarketDataAnswer<ActionPage> = await requests.data(
      '/v1/corporate-actions',
      paged,
      parseActionPage,
    );
    if (!page.ok) return page;
    pages.push(page.value);
    token = page.value.nextToken;
    if (token !== null && seen.has(token))
      return failure('malformed', 'Alpaca repeats a page: the list has no end');
    if (token !== null) seen.add(token);
  } while (token !== null);
  const actions = pages
    .flatMap((page) => page.actions)
    .filter(({ exDate }) => exDate <= end)
    .toSorted((left, right) => (left.exDate < right.exDate ? -1 : 1));
  return { ok: true, value: { actions, changes: pages.flatMap(({ changes }) => changes), nextToken: null } };
}

function noInstrument(symbol: Symbol) {
  return failure(
    'unknown_symbol',
    `no instrument is called ${symbol}: the live market has those of MARKET_SYMBOLS`,
  );
}

const QUOTES_MS = 1.5 * SECOND_MS;
const CALENDAR_DAYS = 14;
/** After a merger, spin-off or rename the symbol stays without a price for this long. */
const CHANGE_DAYS = 30;
