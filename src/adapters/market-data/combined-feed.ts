// Several vendors behind the one port: each kind of instrument has a first feed, whose prices count, and perhaps a second
// one, whose prices are attached for comparison. What a difference means is decided by the engine.
import { CHECKED_DAYS, type CheckQuote } from '#engine/market-data/feed-doubt.ts';
import type { VendorDays } from '#engine/market/calendar-exceptions.ts';
import type { Instrument, InstrumentKind } from '#engine/market/instrument.ts';
import type {
  FeedBars,
  ListedAction,
  MarketClock,
  MarketDataAnswer,
  MarketDataFeed,
  MarketQuote,
} from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import { combinedIntraday } from './combined-intraday.ts';
import type { FeedRoute } from './feed-route.ts';
import { failure } from './read-answer.ts';

/** A failure of a first feed is the answer: without it nothing can be decided. A failure of a second one is attached. */
export function combinedFeed(routes: readonly FeedRoute[]): MarketDataFeed {
  const kinds = new Map<Symbol, InstrumentKind>();
  /** The last quote of each second feed: it grows old by itself. */
  const checked = new Map<Symbol, NonNullable<CheckQuote['quote']>>();
  const routeOf = (symbol: Symbol) => routes.find(({ kind }) => kind === kinds.get(symbol));

  const instruments = async () => {
    const listed = await listInstruments(routes);
    if (listed.ok) for (const { symbol, kind } of listed.value) kinds.set(symbol, kind);
    return listed;
  };
  /** Kinds are known once the instruments have been listed. */
  const route = async (symbols: readonly Symbol[]): Promise<MarketDataAnswer<null>> => {
    if (symbols.some((symbol) => !kinds.has(symbol))) {
      const listed = await instruments();
      if (!listed.ok) return listed;
    }
    const unknown = symbols.find((symbol) => !kinds.has(symbol));
    return unknown === undefined
      ? { ok: true, value: null }
      : failure('unknown_symbol', `no instrument is called ${unknown}: correct MARKET_SYMBOLS`);
  };

  return {
    // The first one reports renames, if any does.
    vendors: feedsOf(routes)
      .flatMap(({ feed }) => feed.vendors ?? [])
      .toSorted((left, right) => Number(right.changes !== undefined) - Number(left.changes !== undefined)),
    instruments,
    clock: () => askClocks(routes),
    async corporateActions() {
      const actions: ListedAction[] = [];
      for (const { kind, first } of routes) {
        const answer = await first.feed.corporateActions();
        if (!answer.ok) return answer;
        const routed = await route(answer.value.map(({ symbol }) => symbol));
        if (!routed.ok) return routed;
        actions.push(...answer.value.filter(({ symbol }) => kinds.get(symbol) === kind));
      }
      return { ok: true, value: actions.toSorted(byExDate) };
    },
    async dailyBars(symbol, from, to) {
      const routed = await route([symbol]);
      if (!routed.ok) return routed;
      const { first, second } = routeOf(symbol)!;
      const [own, other] = await Promise.all([
        first.feed.dailyBars(symbol, from, to),
        second?.feed.dailyBars(symbol, latest(from, addDays(to, -CHECKED_DAYS)), to),
      ]);
      if (!own.ok || second === null || other === undefined) return own;
      return { ok: true, value: { ...own.value, check: closesOf(second.name, other) } };
    },
    async quotes(symbols) {
      const routed = await route(symbols);
      if (!routed.ok) return routed;
      const found = new Map<Symbol, MarketQuote>();
      for (const one of routes) {
        const asked = symbols.filter((symbol) => kinds.get(symbol) === one.kind);
        if (asked.length === 0) continue;
        const answer = await quotesOf(one, asked, checked);
        if (!answer.ok) return answer;
        for (const quote of answer.value) found.set(quote.symbol, quote);
      }
      return { ok: true, value: symbols.flatMap((symbol) => found.get(symbol) ?? []) };
    },
    ...combinedIntraday(routes, { route, routeOf }),
    calendarDays: () => listCalendarDays(routes),
    stop() {
      for (const { feed } of feedsOf(routes)) feed.stop?.();
    },
  };
}

async function listInstruments(
  routes: readonly FeedRoute[],
): Promise<MarketDataAnswer<readonly Instrument[]>> {
  const listed: Instrument[] = [];
  for (const { kind, first, second } of routes) {
    const own = await first.feed.instruments();
    if (!own.ok) return own;
    const other = await second?.feed.instruments();
    // What it does not list it can never bear out; that it is silent now may pass.
    if (other?.ok === false && (other.code === 'unknown_symbol' || other.code === 'refused')) return other;
    listed.push(...own.value.filter((one) => one.kind === kind).map((one) => withTerms(one, other)));
  }
  return { ok: true, value: listed };
}

/** The time of the first feed. That our clock is off, any of them may say. */
async function askClocks(routes: readonly FeedRoute[]): Promise<MarketDataAnswer<MarketClock>> {
  const [first, ...others] = await Promise.all(
    feedsOf(routes).map(async ({ feed, isFirst }) => ({ isFirst, answer: await feed.clock() })),
  );
  if (first === undefined) return failure('refused', 'MARKET_FEEDS names no feed');
  for (const { isFirst, answer } of [first, ...others])
    if (!answer.ok && (isFirst || answer.code === 'clock_off')) return answer;
  return first.answer;
}

/** Of the first feeds that tell them. */
async function listCalendarDays(
  routes: readonly FeedRoute[],
): Promise<MarketDataAnswer<readonly VendorDays[]>> {
  const days: VendorDays[] = [];
  for (const { feed, isFirst } of feedsOf(routes)) {
    const answer = isFirst ? await feed.calendarDays?.() : undefined;
    if (answer?.ok === false) return answer;
    days.push(...(answer?.value ?? []));
  }
  return { ok: true, value: days };
}

async function quotesOf(
  { first, second }: FeedRoute,
  symbols: readonly Symbol[],
  checked: Map<Symbol, NonNullable<CheckQuote['quote']>>,
): Promise<MarketDataAnswer<readonly MarketQuote[]>> {
  const [own, other] = await Promise.all([first.feed.quotes(symbols), second?.feed.quotes(symbols)]);
  if (!own.ok || second === null) return own;
  if (other?.ok) for (const { symbol, last, at } of other.value) checked.set(symbol, { last, at });
  const said = other?.ok === false ? other.message : null;
  const value = own.value.map((quote) => {
    const check = { feed: second.name, quote: checked.get(quote.symbol) ?? null, said };
    return { ...quote, check };
  });
  return { ok: true, value };
}

/** Where the first vendor says nothing of what may be ordered, the second one's word counts. */
function withTerms(instrument: Instrument, other: MarketDataAnswer<readonly Instrument[]> | undefined) {
  if (other?.ok !== true) return instrument;
  const terms = other.value.find(({ symbol }) => symbol === instrument.symbol)?.terms;
  return terms === undefined ? instrument : { ...instrument, terms: { ...terms, ...instrument.terms } };
}

function closesOf(feed: string, answer: MarketDataAnswer<FeedBars>) {
  if (!answer.ok) return { feed, closes: null, said: answer.message };
  const { bars, malformed } = answer.value;
  return { feed, closes: new Map(bars.map(({ date, close }) => [date, close])), said: malformed };
}

function byExDate({ exDate: left }: ListedAction, { exDate: right }: ListedAction): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Each once; a feed that is first for one kind counts as first. */
function feedsOf(routes: readonly FeedRoute[]) {
  const firsts = new Set(routes.map(({ first }) => first.feed));
  const seconds = routes.flatMap(({ second }) => second?.feed ?? []).filter((feed) => !firsts.has(feed));
  return [
    ...[...firsts].map((feed) => ({ feed, isFirst: true })),
    ...[...new Set(seconds)].map((feed) => ({ feed, isFirst: false })),
  ];
}

function latest(left: IsoDate, right: IsoDate): IsoDate {
  return left > right ? left : right;
}
