// The market data port over Alpaca's market data and trading APIs: United States shares and funds, options on them, and coins.
import type { VendorDays } from '#engine/market/calendar-exceptions.ts';
import { isAnotherCompany } from '#engine/market/instrument-fact.ts';
import { haltsOn, type SecurityChange, UNDATED } from '#engine/market/security-change.ts';
import type {
  FeedBars,
  FeedVendor,
  MarketClock,
  MarketDataAnswer,
  MarketDataFeed,
  MarketQuote,
} from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant, type IsoDate, MINUTE_MS, utcDate } from '#units/instant.ts';
import type { ActionPage } from './actions.ts';
import { coinSymbol } from './coins/coin-listing.ts';
import { type CoinMarket, coinMarket } from './coins/coin-market.ts';
import { type AlpacaFeedConfig, feedDelayMs, feedName } from './config.ts';
import { type Barred, completeDays, HISTORY_FROM, listDailyBars, type Sessions } from './daily-bars.ts';
import { intradayFeed } from '../intraday-feed.ts';
import { keepAnswer } from '../keep-answer.ts';
import { noInstrument, shareOf } from '../us-shares.ts';
import { type VendorNames, vendorNames } from '../vendor-names.ts';
import { coinParts, shareParts } from './intraday-bars.ts';
import { keepSnapshots, type Snapshots } from './keep-snapshots.ts';
import { type Asset, factsOf, termsOf } from './listings.ts';
import { type OptionMarket, optionMarket } from './options/option-market.ts';
import { keepReferenceData, type ReferenceData } from './reference-data.ts';
import { createRequests, type Requests } from './requests.ts';
import { parseSnapshots, type Snapshot } from './rows.ts';
import { createPriceStream, type PriceStream } from './stream/price-stream.ts';
import { type CheckedClock, checkedClock } from './vendor-clock.ts';

export function alpacaFeed(config: AlpacaFeedConfig): MarketDataFeed {
  const { clock, reference, names, stream, coinStream, coins, options, bars, intraday, sources } =
    openParts(config);
  const { delayMs } = sources;
  let days: { readonly of: Sessions; readonly value: readonly VendorDays[] } | null = null;
  const contractsOf = async (symbols: readonly Symbol[]) => {
    const timed = await clock.read();
    return timed.ok ? options.quotes(symbols, clock.isOpen(timed.value.now)) : timed;
  };
  const isShare = (symbol: Symbol) => names.symbols.includes(symbol);

  return {
    async instruments() {
      const [assets, listedCoins] = await Promise.all([reference.assets(), coins.instruments()]);
      if (!assets.ok) return assets;
      if (!listedCoins.ok) return listedCoins;
      const contracts = await options.instruments();
      if (!contracts.ok) return contracts;
      const shares = assets.value.map((asset) => shareOf({ ...asset, terms: termsOf(asset) }));
      return { ok: true, value: [...shares, ...listedCoins.value, ...contracts.value] };
    },
    clock: () => clockOf(clock, delayMs),
    async dailyBars(symbol, from, to) {
      if (coins.has(symbol)) return coins.dailyBars(symbol, from, to);
      if (options.has(symbol)) return bars({ ticker: options.nameOf(symbol), kind: 'options' }, { from, to });
      if (!isShare(symbol)) return noInstrument(symbol);
      return bars({ ticker: names.tickerOf(symbol), kind: 'equity' }, { from, to });
    },
    intraday,
    async corporateActions() {
      const actions = await reference.actions();
      return actions.ok ? { ok: true, value: actions.value.actions } : actions;
    },
    async quotes(symbols) {
      const unknown = symbols.find(
        (symbol) => !isShare(symbol) && !coins.has(symbol) && !options.has(symbol),
      );
      if (unknown !== undefined) return noInstrument(unknown);
      const answers = await Promise.all([
        quotesOf(symbols.filter(isShare), sources),
        coins.quotes(symbols.filter(coins.has)),
        contractsOf(symbols.filter(options.has)),
      ]);
      const found = new Map<Symbol, MarketQuote>();
      for (const answer of answers) {
        if (!answer.ok) return answer;
        for (const quote of answer.value) found.set(quote.symbol, quote);
      }
      return { ok: true, value: symbols.flatMap((symbol) => found.get(symbol) ?? []) };
    },
    async calendarDays() {
      const sessions = await reference.sessions();
      if (!sessions.ok) return sessions;
      if (days?.of !== sessions.value) days = { of: sessions.value, value: [daysOf(sessions.value)] };
      return { ok: true, value: days.value };
    },
    stop() {
      stream?.stop();
      coinStream?.stop();
    },
    vendors: [alpacaVendor({ reference, names, coins, options })],
  };
}

async function clockOf(clock: CheckedClock, delayMs: number): Promise<MarketDataAnswer<MarketClock>> {
  const timed = await clock.read();
  if (!timed.ok) return timed;
  const time = { ...timed.value, daySeconds: 86_400, mode: 'live', paused: false, endsAt: null } as const;
  return { ok: true, value: { ...time, ...(delayMs > 0 && { delayMs }) } };
}

/** What answers, each with its own part of the vendor. */
function openParts(config: AlpacaFeedConfig) {
  const { feed, streamUrl, coinStreamUrl, coins: pairs = [] } = config;
  const now = config.now ?? Date.now;
  const requests = createRequests(config);
  const clock = checkedClock(requests, now);
  const names = vendorNames(config, now);
  const tickers = () => names.symbols.map(names.tickerOf);
  const reference = keepReferenceData(requests, { names, now });
  const open = (url: string | undefined, symbols: () => readonly string[]) =>
    url === undefined ? null : createPriceStream(url, { ...config, symbols }, () => instant(now()));
  const stream = open(streamUrl, tickers);
  const ask = () =>
    requests.data(
      '/v2/stocks/snapshots',
      { symbols: tickers().join(','), feed: feedName(feed) },
      parseSnapshots,
    );
  const snapshots = keepSnapshots(ask, stream, now);
  const coinStream = open(coinStreamUrl, () => pairs);
  const sources = { clock, reference, snapshots, names, stream, delayMs: feedDelayMs(feed) };
  const coins = coinMarket(requests, { pairs, stream: coinStream, now });
  const nameOf = (symbol: Symbol) => (names.symbols.includes(symbol) ? names.tickerOf(symbol) : null);
  const pairOf = (symbol: Symbol) => pairs.find((pair) => coinSymbol(pair) === symbol) ?? null;
  const parts = new Map([
    ['equity', shareParts(requests, { feed, reference, nameOf })],
    ['crypto', coinParts(requests, pairOf, now)],
  ] as const);
  return {
    ...sources,
    sources,
    coinStream,
    coins,
    intraday: intradayFeed(parts, now),
    options: optionMarket(requests, { options: config.options, shares: snapshots, names, now }),
    bars: keepDailyBars(requests, { reference, now }),
  };
}

function alpacaVendor({
  reference,
  names,
  coins,
  options,
}: Pick<QuoteSources, 'reference' | 'names'> & {
  readonly coins: CoinMarket;
  readonly options: OptionMarket;
}): FeedVendor {
  return {
    name: 'alpaca',
    async facts() {
      const [assets, ofCoins] = await Promise.all([reference.assets(), coins.facts()]);
      if (!assets.ok) return assets;
      if (!ofCoins.ok) return ofCoins;
      const contracts = await options.facts();
      if (!contracts.ok) return contracts;
      return {
        ok: true,
        value: [...assets.value.flatMap(factsOf), ...ofCoins.value, ...contracts.value],
      };
    },
    async changes() {
      await names.refresh();
      const [assets, actions] = await Promise.all([reference.assets(), reference.actions()]);
      // A share that is not found may be one that was renamed.
      if (!assets.ok && assets.code !== 'unknown_symbol') return assets;
      if (!actions.ok) return actions;
      return {
        ok: true,
        value: changesOf(assets.ok ? assets.value : [], actions.value, { names, today: names.today() }),
      };
    },
  };
}

/** The last of them is no day without a session: the vendor lists two weeks ahead. */
function daysOf(sessions: Sessions): VendorDays {
  const dates = [...sessions.keys()];
  const [from = HISTORY_FROM, to = HISTORY_FROM] = [dates[0], dates.at(-1)];
  return { calendar: 'us-equity', from, to, sessions: [...sessions.values()] };
}

type Days = { readonly from: IsoDate; readonly to: IsoDate };

/** The newest range of each, asked for again after a minute: the vendor lacks the bar of a share that did not trade. */
function keepDailyBars(
  requests: Requests,
  { reference, now }: { readonly reference: ReferenceData; readonly now: () => number },
) {
  type Kept = { readonly range: string; readonly list: () => Promise<MarketDataAnswer<FeedBars>> };
  const kept = new Map<string, Kept>();
  return async (barred: Barred, days: Days): Promise<MarketDataAnswer<FeedBars>> => {
    const sessions = await reference.sessions();
    if (!sessions.ok) return sessions;
    const complete = completeDays(sessions.value, { ...days, now: now() });
    if (complete === null) return { ok: true, value: { bars: [], malformed: null } };
    const { ticker } = barred;
    const range = `${complete.from} ${complete.to}`;
    const same = kept.get(ticker);
    if (same?.range === range) return same.list();
    const list = keepAnswer(MINUTE_MS, now, () =>
      listDailyBars(requests, barred, { ...complete, sessions: sessions.value }),
    );
    kept.set(ticker, { range, list });
    return list();
  };
}

type QuoteSources = {
  readonly clock: CheckedClock;
  readonly reference: ReferenceData;
  readonly names: VendorNames;
  readonly snapshots: Snapshots;
  readonly stream: PriceStream | null;
  readonly delayMs: number;
};

async function quotesOf(
  symbols: readonly Symbol[],
  { clock, reference, snapshots, names, stream, delayMs }: QuoteSources,
): Promise<MarketDataAnswer<readonly MarketQuote[]>> {
  if (symbols.length === 0) {
    const timed = await clock.read();
    return timed.ok ? { ok: true, value: [] } : timed;
  }
  const asked = [
    clock.read(),
    reference.assets(),
    reference.actions(),
    snapshots(),
    reference.sessions(),
  ] as const;
  const [timed, assets, actions, found, sessions] = await Promise.all(asked);
  if (!timed.ok) return timed;
  if (!assets.ok) return assets;
  if (!actions.ok) return actions;
  if (!found.ok) return found;
  if (!sessions.ok) return sessions;
  const today = names.today();
  const changes = changesOf(assets.value, actions.value, { names, today });
  const barred = barredSymbols(assets.value, changes, today);
  const { now } = timed.value;
  const isOpen = delayMs === 0 ? clock.isOpen(now) : wasOpen(sessions.value, instant(now - delayMs));
  const quotes = symbols.flatMap((symbol) => {
    if (barred.has(symbol)) return [];
    const ticker = names.tickerOf(symbol);
    const snapshot = found.value.get(ticker);
    const quote = quoteOf(symbol, snapshot, isOpen);
    const halt = stream?.haltOf(ticker, snapshot?.trade ?? null) ?? null;
    if (quote === null) return [];
    return [{ ...quote, ...(delayMs > 0 && { delayMs }), ...(halt !== null && { halt }) }];
  });
  return { ok: true, value: quotes };
}

function wasOpen(sessions: Sessions, at: Instant): boolean {
  const held = sessions.get(utcDate(at));
  return held !== undefined && at >= held.opensAt && at < held.closesAt;
}

/** Nothing is decided on a share without a price: neither on one that is not tradable, nor on one that becomes another. */
function barredSymbols(
  assets: readonly Asset[],
  changes: readonly SecurityChange[],
  today: IsoDate,
): ReadonlySet<Symbol> {
  return new Set([
    ...assets.filter(({ isTradable }) => !isTradable).map(({ symbol }) => symbol),
    ...haltsOn(changes, today).keys(),
  ]);
}

/** What the vendor reports, and the shares whose ticker it now uses for another company without saying so. */
function changesOf(
  assets: readonly Asset[],
  { changes }: ActionPage,
  { names, today: date }: { readonly names: VendorNames; readonly today: IsoDate },
): readonly SecurityChange[] {
  const known = names.facts();
  const reused = assets.filter(
    ({ symbol, id }) => id !== null && isAnotherCompany(known, { symbol, vendorId: id, date }),
  );
  return [
    ...changes,
    ...reused.map(({ symbol }) => ({ symbol, event: 'reused_ticker', date: UNDATED }) as const),
  ];
}

/** A side of the book without an order has no price of its own; the last trade's takes its place. */
function quoteOf(symbol: Symbol, snapshot: Snapshot | undefined, open: boolean): MarketQuote | null {
  if (!snapshot?.trade) return null;
  const { price, at } = snapshot.trade;
  return { symbol, last: price, bid: snapshot.bid ?? price, ask: snapshot.ask ?? price, open, at };
}
