// The market data port over Alpaca's market data and trading APIs: United States shares and funds, and coins, in real time.
import type { VendorDays } from '#engine/market/calendar-exceptions.ts';
import { isAnotherCompany } from '#engine/market/instrument-fact.ts';
import { haltsOn, type SecurityChange, UNDATED } from '#engine/market/security-change.ts';
import type {
  DailyBars,
  FeedVendor,
  MarketDataAnswer,
  MarketDataFeed,
  MarketQuote,
} from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import type { ActionPage } from './actions.ts';
import { type CoinMarket, coinMarket } from './coins/coin-market.ts';
import type { AlpacaFeedConfig } from './config.ts';
import { completeDays, HISTORY_FROM, listDailyBars, type Sessions } from './daily-bars.ts';
import { keepAnswer } from '../keep-answer.ts';
import { noInstrument, shareOf } from '../us-shares.ts';
import { type VendorNames, vendorNames } from '../vendor-names.ts';
import { keepSnapshots, type Snapshots } from './keep-snapshots.ts';
import { type Asset, factsOf, termsOf } from './listings.ts';
import { keepReferenceData, type ReferenceData } from './reference-data.ts';
import { createRequests, type Requests } from './requests.ts';
import { parseSnapshots, type Snapshot } from './rows.ts';
import { createPriceStream, type PriceStream } from './stream/price-stream.ts';
import { type CheckedClock, checkedClock } from './vendor-clock.ts';

export function alpacaFeed(config: AlpacaFeedConfig): MarketDataFeed {
  const { feed, streamUrl, coinStreamUrl, coins: pairs = [] } = config;
  const now = config.now ?? Date.now;
  const requests = createRequests(config);
  const clock = checkedClock(requests, now);
  const names = vendorNames(config, now);
  const { symbols: listed } = names;
  const tickers = () => listed.map(names.tickerOf);
  const reference = keepReferenceData(requests, { names, now });
  const open = (url: string | undefined, symbols: () => readonly string[]) =>
    url === undefined ? null : createPriceStream(url, { ...config, symbols }, () => instant(now()));
  const stream = open(streamUrl, tickers);
  const ask = () =>
    requests.data('/v2/stocks/snapshots', { symbols: tickers().join(','), feed }, parseSnapshots);
  const snapshots = keepSnapshots(ask, stream, now);
  const coinStream = open(coinStreamUrl, () => pairs);
  const coins = coinMarket(requests, { pairs, stream: coinStream, now });
  const bars = keepDailyBars(requests, { reference, names, now });
  let days: { readonly of: Sessions; readonly value: readonly VendorDays[] } | null = null;
  const isShare = (symbol: Symbol) => listed.includes(symbol);
  const sources = { clock, reference, snapshots, names, stream };

  return {
    async instruments() {
      const [assets, listedCoins] = await Promise.all([reference.assets(), coins.instruments()]);
      if (!assets.ok) return assets;
      if (!listedCoins.ok) return listedCoins;
      const shares = assets.value.map((asset) => shareOf({ ...asset, terms: termsOf(asset) }));
      return { ok: true, value: [...shares, ...listedCoins.value] };
    },
    async clock() {
      const timed = await clock.read();
      if (!timed.ok) return timed;
      return {
        ok: true,
        value: { ...timed.value, daySeconds: 86_400, mode: 'live', paused: false, endsAt: null },
      };
    },
    async dailyBars(symbol, from, to) {
      if (coins.has(symbol)) return coins.dailyBars(symbol, from, to);
      return isShare(symbol) ? bars(symbol, { from, to }) : noInstrument(symbol);
    },
    async corporateActions() {
      const actions = await reference.actions();
      return actions.ok ? { ok: true, value: actions.value.actions } : actions;
    },
    async quotes(symbols) {
      const unknown = symbols.find((symbol) => !isShare(symbol) && !coins.has(symbol));
      if (unknown !== undefined) return noInstrument(unknown);
      const [shares, ofCoins] = await Promise.all([
        quotesOf(symbols.filter(isShare), sources),
        coins.quotes(symbols.filter(coins.has)),
      ]);
      if (!shares.ok) return shares;
      if (!ofCoins.ok) return ofCoins;
      const found = new Map([...shares.value, ...ofCoins.value].map((quote) => [quote.symbol, quote]));
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
    vendors: [alpacaVendor({ reference, names, coins })],
  };
}

function alpacaVendor({
  reference,
  names,
  coins,
}: Pick<QuoteSources, 'reference' | 'names'> & { readonly coins: CoinMarket }): FeedVendor {
  return {
    name: 'alpaca',
    async facts() {
      const [assets, ofCoins] = await Promise.all([reference.assets(), coins.facts()]);
      if (!assets.ok) return assets;
      return ofCoins.ok ? { ok: true, value: [...assets.value.flatMap(factsOf), ...ofCoins.value] } : ofCoins;
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

/** The newest range of each share, asked for again after a minute: the vendor lacks the bar of a share that did not trade. */
function keepDailyBars(
  requests: Requests,
  {
    reference,
    names,
    now,
  }: { readonly reference: ReferenceData; readonly names: VendorNames; readonly now: () => number },
) {
  type Kept = { readonly range: string; readonly list: () => Promise<MarketDataAnswer<DailyBars>> };
  const kept = new Map<Symbol, Kept>();
  return async (symbol: Symbol, days: Days): Promise<MarketDataAnswer<DailyBars>> => {
    const sessions = await reference.sessions();
    if (!sessions.ok) return sessions;
    const complete = completeDays(sessions.value, { ...days, now: now() });
    if (complete === null) return { ok: true, value: { bars: [], malformed: null } };
    const ticker = names.tickerOf(symbol);
    const range = `${ticker} ${complete.from} ${complete.to}`;
    const same = kept.get(symbol);
    if (same?.range === range) return same.list();
    const list = keepAnswer(MINUTE_MS, now, () =>
      listDailyBars(requests, ticker, { ...complete, sessions: sessions.value }),
    );
    kept.set(symbol, { range, list });
    return list();
  };
}

type QuoteSources = {
  readonly clock: CheckedClock;
  readonly reference: ReferenceData;
  readonly names: VendorNames;
  readonly snapshots: Snapshots;
  readonly stream: PriceStream | null;
};

async function quotesOf(
  symbols: readonly Symbol[],
  { clock, reference, snapshots, names, stream }: QuoteSources,
): Promise<MarketDataAnswer<readonly MarketQuote[]>> {
  if (symbols.length === 0) {
    const timed = await clock.read();
    return timed.ok ? { ok: true, value: [] } : timed;
  }
  const asked = [clock.read(), reference.assets(), reference.actions(), snapshots()] as const;
  const [timed, assets, actions, found] = await Promise.all(asked);
  if (!timed.ok) return timed;
  if (!assets.ok) return assets;
  if (!actions.ok) return actions;
  if (!found.ok) return found;
  const today = names.today();
  const changes = changesOf(assets.value, actions.value, { names, today });
  const barred = barredSymbols(assets.value, changes, today);
  const isOpen = clock.isOpen(timed.value.now);
  const quotes = symbols.flatMap((symbol) => {
    if (barred.has(symbol)) return [];
    const ticker = names.tickerOf(symbol);
    const snapshot = found.value.get(ticker);
    const quote = quoteOf(symbol, snapshot, isOpen);
    const halt = stream?.haltOf(ticker, snapshot?.trade ?? null) ?? null;
    return quote === null ? [] : [halt === null ? quote : { ...quote, halt }];
  });
  return { ok: true, value: quotes };
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
