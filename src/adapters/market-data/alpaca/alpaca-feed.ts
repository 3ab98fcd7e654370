// The market data port over Alpaca's market data and trading APIs: United States shares and funds in real time.
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
import { type IsoDate, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import type { ActionPage } from './actions.ts';
import type { AlpacaFeedConfig } from './config.ts';
import { completeDays, listDailyBars } from './daily-bars.ts';
import { keepAnswer } from '../keep-answer.ts';
import { noInstrument, shareOf } from '../us-shares.ts';
import { type VendorNames, vendorNames } from '../vendor-names.ts';
import { type Asset, factsOf, termsOf } from './listings.ts';
import { keepReferenceData, type ReferenceData } from './reference-data.ts';
import { createRequests, type Requests } from './requests.ts';
import { parseSnapshots, type Snapshot } from './rows.ts';
import { type CheckedClock, checkedClock } from './vendor-clock.ts';

export function alpacaFeed(config: AlpacaFeedConfig): MarketDataFeed {
  const { feed } = config;
  const now = config.now ?? Date.now;
  const requests = createRequests(config);
  const clock = checkedClock(requests, now);
  const names = vendorNames(config, now);
  const { symbols: listed } = names;
  const reference = keepReferenceData(requests, { names, now });
  const snapshots = keepAnswer(QUOTES_MS, now, () =>
    requests.data(
      '/v2/stocks/snapshots',
      { symbols: listed.map(names.tickerOf).join(','), feed },
      parseSnapshots,
    ),
  );
  const bars = keepDailyBars(requests, { reference, names, now });
  const findUnknown = (symbols: readonly Symbol[]) => symbols.find((symbol) => !listed.includes(symbol));

  return {
    async instruments() {
      const assets = await reference.assets();
      return assets.ok
        ? { ok: true, value: assets.value.map((asset) => shareOf({ ...asset, terms: termsOf(asset) })) }
        : assets;
    },
    async clock() {
      const timed = await clock.read();
      if (!timed.ok) return timed;
      return {
        ok: true,
        value: { now: timed.value, daySeconds: 86_400, mode: 'live', paused: false, endsAt: null },
      };
    },
    async dailyBars(symbol, from, to) {
      return findUnknown([symbol]) === undefined ? bars(symbol, { from, to }) : noInstrument(symbol);
    },
    async corporateActions() {
      const actions = await reference.actions();
      return actions.ok ? { ok: true, value: actions.value.actions } : actions;
    },
    async quotes(symbols) {
      const unknown = findUnknown(symbols);
      return unknown === undefined
        ? quotesOf(symbols, { clock, reference, snapshots, names })
        : noInstrument(unknown);
    },
    vendors: [alpacaVendor({ reference, names })],
  };
}

function alpacaVendor({ reference, names }: Pick<QuoteSources, 'reference' | 'names'>): FeedVendor {
  return {
    name: 'alpaca',
    async facts() {
      const assets = await reference.assets();
      return assets.ok ? { ok: true, value: assets.value.flatMap(factsOf) } : assets;
    },
    async changes() {
      await names.refresh();
      const [assets, actions] = await Promise.all([reference.assets(), reference.actions()]);
      if (!assets.ok) return assets;
      if (!actions.ok) return actions;
      return {
        ok: true,
        value: changesOf(assets.value, actions.value, { names, today: names.today() }),
      };
    },
  };
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
  readonly snapshots: () => Promise<MarketDataAnswer<ReadonlyMap<string, Snapshot>>>;
};

async function quotesOf(
  symbols: readonly Symbol[],
  { clock, reference, snapshots, names }: QuoteSources,
): Promise<MarketDataAnswer<readonly MarketQuote[]>> {
  const asked = [clock.read(), reference.assets(), reference.actions(), snapshots()] as const;
  const [timed, assets, actions, found] = await Promise.all(asked);
  if (!timed.ok) return timed;
  if (!assets.ok) return assets;
  if (!actions.ok) return actions;
  if (!found.ok) return found;
  const today = names.today();
  const changes = changesOf(assets.value, actions.value, { names, today });
  const halted = haltedSymbols(assets.value, changes, today);
  const isOpen = clock.isOpen(timed.value);
  const priced = symbols.filter((symbol) => !halted.has(symbol));
  const quotes = priced.flatMap(
    (symbol) => quoteOf(symbol, found.value.get(names.tickerOf(symbol)), isOpen) ?? [],
  );
  return { ok: true, value: quotes };
}

/** Nothing is decided on a share without a price: neither on one that is not tradable, nor on one that becomes another. */
function haltedSymbols(
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

const QUOTES_MS = 1.5 * SECOND_MS;
