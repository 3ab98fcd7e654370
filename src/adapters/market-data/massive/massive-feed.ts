// The market data port over the REST API of Massive (formerly Polygon.io): United States shares and funds.
import type { Session } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import { factOn, isAnotherCompany } from '#engine/market/instrument-fact.ts';
import { haltsOn, type SecurityChange, UNDATED } from '#engine/market/security-change.ts';
import type { TickerStretch } from '#engine/market/tickers.ts';
import type {
  FeedBars,
  FeedVendor,
  MarketDataAnswer,
  MarketDataFeed,
  MarketQuote,
} from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { HOUR_MS, instant, type IsoDate, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { intradayFeed } from '../intraday-feed.ts';
import { keepAnswer } from '../keep-answer.ts';
import { reading } from '../read-answer.ts';
import { noInstrument, shareOf } from '../us-shares.ts';
import { type VendorNames, vendorNames } from '../vendor-names.ts';
import { type ListedActions, readActions } from './actions.ts';
import type { MassiveFeedConfig } from './config.ts';
import { listDailyBars } from './daily-bars.ts';
import { findShares } from './find-shares.ts';
import { shareParts } from './intraday-bars.ts';
import { factsOf, parseSpecialDays, type Share, type SpecialDays } from './listings.ts';
import { createRequests, type Requests } from './requests.ts';
import { lastClosedDay, nextOpening } from './sessions.ts';
import { parseSnapshots, type Snapshot } from './snapshots.ts';
import { keepTickerEvents, type ListTickerEvents, renamesOf } from './ticker-events.ts';
import { checkedClock } from './vendor-clock.ts';

export function massiveFeed(config: MassiveFeedConfig): MarketDataFeed {
  const { historyFrom } = config;
  const now = config.now ?? Date.now;
  const names = vendorNames(config, now);
  const { symbols: listed } = names;
  const requests = createRequests(config);
  const clock = checkedClock(requests, now);
  const eventsOf = config.isNaming === true ? keepTickerEvents(requests, now) : null;
  const shares = keepAnswer(HOUR_MS, now, () => findShares({ requests, names, eventsOf }));
  const special = keepSpecialDays(requests, now);
  const until = async (): Promise<MarketDataAnswer<IsoDate>> => {
    const days = await special();
    return days.ok ? { ok: true, value: nextOpening(instant(now()), days.value) } : days;
  };
  const changes = () => listChanges({ names, shares, eventsOf, until });
  const actions = keepAnswer(10 * MINUTE_MS, now, async () => {
    const to = await until();
    return to.ok ? listActions(requests, names, { from: historyFrom, to: to.value }) : to;
  });
  const snapshots = keepAnswer(QUOTES_MS, now, () =>
    requests.get(
      '/v2/snapshot/locale/us/markets/stocks/tickers',
      { tickers: listed.map(names.tickerOf).join(',') },
      parseSnapshots,
    ),
  );
  const bars = keepDailyBars(requests, { special, now, historyFrom, names });
  const findUnknown = (symbols: readonly Symbol[]) => symbols.find((symbol) => !listed.includes(symbol));

  return {
    async instruments() {
      const found = await shares();
      return found.ok ? { ok: true, value: found.value.map(instrumentOf) } : found;
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
      return findUnknown([symbol]) === undefined ? bars(symbol, { from, to }) : noInstrument(symbol);
    },
    intraday: intradayFeed(
      new Map([['equity', shareParts(requests, { names, special, now, historyFrom })]]),
      now,
    ),
    async corporateActions() {
      const found = await actions();
      return found.ok ? { ok: true, value: found.value.actions } : found;
    },
    vendors: [massiveVendor({ shares, ...(eventsOf && { changes }) })],
    async quotes(symbols) {
      const unknown = findUnknown(symbols);
      return unknown === undefined
        ? quotesOf(symbols, { clock, shares, actions, special, snapshots, changes, names })
        : noInstrument(unknown);
    },
  };
}

type QuoteSources = {
  readonly clock: ReturnType<typeof checkedClock>;
  readonly shares: VendorSources['shares'];
  readonly actions: () => Promise<MarketDataAnswer<ListedActions>>;
  readonly special: () => Promise<MarketDataAnswer<SpecialDays>>;
  readonly snapshots: () => Promise<MarketDataAnswer<ReadonlyMap<string, Snapshot>>>;
  readonly changes: () => Promise<MarketDataAnswer<readonly SecurityChange[]>>;
  readonly names: VendorNames;
};

async function quotesOf(
  symbols: readonly Symbol[],
  { clock, shares, actions, special, snapshots, changes, names }: QuoteSources,
): Promise<MarketDataAnswer<readonly MarketQuote[]>> {
  const asked = [clock.read(), shares(), actions(), special(), snapshots(), changes()] as const;
  const [timed, known, events, days, found, changed] = await Promise.all(asked);
  if (!timed.ok) return timed;
  if (!known.ok) return known;
  if (!events.ok) return events;
  if (!days.ok) return days;
  if (!found.ok) return found;
  if (!changed.ok) return changed;
  const halted = haltedSymbols(known.value, events.value, haltsOn(changed.value, names.today()));
  const isOpen = clock.isOpen(timed.value.now, days.value);
  const priced = symbols.filter((symbol) => !halted.has(symbol));
  return {
    ok: true,
    value: priced.flatMap((symbol) => quoteOf(symbol, found.value.get(names.tickerOf(symbol)), isOpen) ?? []),
  };
}

type VendorSources = {
  readonly shares: () => Promise<MarketDataAnswer<readonly Share[]>>;
  readonly changes?: () => Promise<MarketDataAnswer<readonly SecurityChange[]>>;
};

function massiveVendor({ shares, changes }: VendorSources): FeedVendor {
  return {
    name: 'massive',
    async facts() {
      const found = await shares();
      return found.ok ? { ok: true, value: found.value.flatMap(factsOf) } : found;
    },
    ...(changes && { changes }),
  };
}

type ChangeSources = {
  readonly names: VendorNames;
  readonly shares: VendorSources['shares'];
  /** Null where another vendor names the shares. */
  readonly eventsOf: ListTickerEvents | null;
  /** The day of the next opening. */
  readonly until: () => Promise<MarketDataAnswer<IsoDate>>;
};

/** Renames, and the shares whose ticker the vendor now uses for another company without saying so. */
async function listChanges({
  names,
  shares,
  eventsOf,
  until,
}: ChangeSources): Promise<MarketDataAnswer<readonly SecurityChange[]>> {
  if (eventsOf === null) return { ok: true, value: [] };
  const [known, last] = [await shares(), await until()];
  if (!known.ok) return known;
  if (!last.ok) return last;
  const [facts, date] = [names.facts(), names.today()];
  const changes: SecurityChange[] = [];
  for (const { symbol, figi } of known.value) {
    if (figi !== null && isAnotherCompany(facts, { symbol, vendorId: figi, date }))
      changes.push({ symbol, event: 'reused_ticker', date: UNDATED });
    const ours = factOn(facts, { symbol, kind: 'vendor_id', date })?.value ?? figi;
    if (ours === null) continue;
    const events = await eventsOf(ours);
    if (!events.ok) return events;
    changes.push(...renamesOf(symbol, events.value, last.value));
  }
  return { ok: true, value: changes };
}

function instrumentOf({ symbol, name, isActive }: Share) {
  return shareOf({ symbol, name, ...(!isActive && { terms: { isTradable: false } }) });
}

/** The vendor drops a day from its list once it has passed; what it said about that day still holds. */
function keepSpecialDays(requests: Requests, now: () => number) {
  const known = new Map<IsoDate, Session | null>();
  return keepAnswer<SpecialDays>(HOUR_MS, now, async () => {
    const answer = await requests.get('/v1/marketstatus/upcoming', {}, parseSpecialDays);
    if (!answer.ok) return answer;
    for (const [date, day] of answer.value) known.set(date, day);
    return { ok: true, value: new Map(known) };
  });
}

async function listActions(
  requests: Requests,
  names: VendorNames,
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
): Promise<MarketDataAnswer<ListedActions>> {
  await names.refresh();
  const { everOf } = names.tickers();
  const tickers = [...new Set(names.symbols.flatMap(everOf))];
  const asked = { 'ticker.any_of': tickers.join(','), limit: '5000' };
  const splits = await requests.list('/stocks/v1/splits', {
    ...asked,
    'execution_date.gte': from,
    'execution_date.lte': to,
    sort: 'execution_date.asc',
  });
  if (!splits.ok) return splits;
  const dividends = await requests.list('/stocks/v1/dividends', {
    ...asked,
    'ex_dividend_date.gte': from,
    'ex_dividend_date.lte': to,
    sort: 'ex_dividend_date.asc',
  });
  if (!dividends.ok) return dividends;
  return reading(() => readActions({ splits: splits.value, dividends: dividends.value }, names));
}

type Days = { readonly from: IsoDate; readonly to: IsoDate };

/** The newest range of each share, asked for again after a minute: the vendor lacks the bar of a share that did not trade. */
function keepDailyBars(
  requests: Requests,
  {
    special,
    now,
    historyFrom,
    names,
  }: {
    readonly special: () => Promise<MarketDataAnswer<SpecialDays>>;
    readonly now: () => number;
    readonly historyFrom: IsoDate;
    readonly names: VendorNames;
  },
) {
  type Kept = { readonly range: string; readonly list: () => Promise<MarketDataAnswer<FeedBars>> };
  const kept = new Map<Symbol, Kept>();
  return async (symbol: Symbol, days: Days): Promise<MarketDataAnswer<FeedBars>> => {
    const known = await special();
    if (!known.ok) return known;
    const from = days.from < historyFrom ? historyFrom : days.from;
    const to = lastClosedDay({ from, to: days.to }, known.value, instant(now() - BAR_DELAY_MS));
    if (to === null) return { ok: true, value: { bars: [], malformed: null } };
    const stretches = names.tickers().stretchesOf(symbol, { from, to });
    const range = stretches.map((one) => `${one.ticker} ${one.from} ${one.to}`).join(', ');
    const same = kept.get(symbol);
    if (same?.range === range) return same.list();
    const list = keepAnswer(MINUTE_MS, now, () => listStretches(requests, stretches, known.value));
    kept.set(symbol, { range, list });
    return list();
  };
}

/** The vendor keeps the bars of a renamed share under the ticker of each day. */
async function listStretches(
  requests: Requests,
  stretches: readonly TickerStretch[],
  special: SpecialDays,
): Promise<MarketDataAnswer<FeedBars>> {
  const bars: Bar[] = [];
  for (const { ticker, ...days } of stretches) {
    const answer = await listDailyBars(requests, ticker, { ...days, special });
    if (!answer.ok) return answer;
    bars.push(...answer.value.bars);
    if (answer.value.malformed !== null) return { ok: true, value: { ...answer.value, bars } };
  }
  return { ok: true, value: { bars, malformed: null } };
}

/** Nothing is decided on a share without a price: one that is no longer listed, becomes another, or whose events cannot be read. */
function haltedSymbols(
  shares: readonly Share[],
  { spoiled }: ListedActions,
  stopped: ReadonlyMap<Symbol, unknown>,
): ReadonlySet<Symbol> {
  const ended = shares.filter(({ isActive }) => !isActive).map(({ symbol }) => symbol);
  return new Set([...ended, ...spoiled, ...stopped.keys()]);
}

/** A side of the book without an order has no price of its own; the last trade's takes its place. */
function quoteOf(symbol: Symbol, snapshot: Snapshot | undefined, open: boolean): MarketQuote | null {
  if (snapshot === undefined) return null;
  const { last, at, bid, ask } = snapshot;
  return { symbol, last, bid: bid ?? last, ask: ask ?? last, open, at };
}

const QUOTES_MS = 1.5 * SECOND_MS;
/** A bar of a day is asked for only after this: prints of the closing auction arrive after the close. */
const BAR_DELAY_MS = 20 * MINUTE_MS;
