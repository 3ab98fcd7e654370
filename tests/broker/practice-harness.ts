// The practice venue over PostgreSQL, and a feed that moves only when the test moves it. What no wire can do to it, its
// store does: it falls silent, loses an answer after the commit, or gives rows that cannot be read.
import { practice } from '#adapters/broker/practice/practice.ts';
import type { PracticeStore } from '#adapters/broker/practice/practice-store.ts';
import { nextSession, session, sessionAt } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { ApprovedOrder, Side } from '#engine/order/order.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import type { Database } from '#records/postgres/database.ts';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import type { Capability, BrokerHarness, OrderPrice } from '../conformance/broker/conformance-case.ts';
import { type FixedPrices, fixedPrices, INSTRUMENTS, SATURDAY } from './fixed-prices.ts';

export type PracticeHarness = BrokerHarness & { close(): Promise<void> };

export function openPracticeHarness(database: Database): PracticeHarness {
  const prices = fixedPrices();
  const state = { at: SATURDAY, volume: 0 };
  const faults: Faults = { isSilent: false, losesNext: false, garble: null };
  const run = String(++harnesses);
  const broker = practice({
    store: faultyStore(practiceStore(database), faults),
    feed: fixedFeed(prices, state),
    findInstrument: (symbol) => INSTRUMENTS.find((known) => known.symbol === symbol) ?? null,
  });
  return {
    broker,
    capabilities: new Set<Capability>(['commission', 'stops']),
    now: () => state.at,
    decide: (authorizeUrl, decision) =>
      Promise.resolve(decision === 'deny' ? null : new URL(authorizeUrl).searchParams.get('oauth_verifier')),
    order: ({ id, side, price }) =>
      ({
        side,
        symbol: 'SPY' as Symbol,
        quantity: toQuantity(price === 'beyond_means' ? 1_000_000 : 10),
        limitPrice: LIMIT[side][price],
        purpose: 'rebalance',
        clientOrderId: `${run}-${id}` as ClientOrderId,
      }) as unknown as ApprovedOrder,
    passOpening: () => void (state.at = instant(nextSession('us-equity', state.at).opensAt + MINUTE_MS)),
    passClose: () =>
      void (state.at = instant((sessionAt('us-equity', state.at)?.closesAt ?? state.at) + MINUTE_MS)),
    passMinutes: (minutes) => void (state.at = instant(state.at + minutes * MINUTE_MS)),
    fallTo: prices.fallTo,
    /** Two percent of it is half of the harness's order. */
    fillPartly: (isOn) => void (state.volume = isOn ? 250 : 0),
    goSilent: (isOn) => void (faults.isSilent = isOn),
    loseNextAnswer: () => void (faults.losesNext = true),
    garbleNextAnswer: (text) => void (faults.garble = text),
    close: () => Promise.resolve(),
  };
}

type Faults = { isSilent: boolean; losesNext: boolean; garble: string | null };

function faultyStore(store: PracticeStore, faults: Faults): PracticeStore {
  const reached = <Value>(ask: () => Promise<Value>) =>
    faults.isSilent ? Promise.reject(new Error('the database does not answer')) : ask();
  const list = (ask: () => Promise<unknown>) =>
    reached(async () => {
      const rows = await ask();
      const { garble } = faults;
      faults.garble = null;
      return garble === null ? rows : JSON.parse(garble);
    });
  return {
    open: (account) => reached(() => store.open(account)),
    findByToken: (hash) => reached(() => store.findByToken(hash)),
    read: (accountId) => reached(() => store.read(accountId)),
    change: (accountId, orderId, decide) =>
      reached(async () => {
        const result = await store.change(accountId, orderId, decide);
        const isLost = faults.losesNext || faults.garble !== null;
        Object.assign(faults, { losesNext: false, garble: null });
        if (isLost) throw new Error('the connection ended after the commit');
        return result;
      }),
    listOrders: (accountId, since) => list(() => store.listOrders(accountId, since)),
    findOrder: (accountId, orderId) => list(() => store.findOrder(accountId, orderId)),
    listExecutions: (accountId, since) => list(() => store.listExecutions(accountId, since)),
  };
}

type World = { readonly at: Instant; readonly volume: number };

export function fixedFeed(prices: FixedPrices, world: World): MarketDataFeed {
  const ok = <Value>(value: Value) => Promise.resolve({ ok: true, value } as const);
  const quoteOf = (symbol: Symbol, at: Instant) => prices.quote(symbol, at)!;
  const barOf = (symbol: Symbol, date: IsoDate): Bar[] => {
    const { calendar } = INSTRUMENTS.find((known) => known.symbol === symbol)!;
    const day = session(calendar, date);
    if (day === null || day.closesAt > world.at) return [];
    const open = quoteOf(symbol, day.opensAt).last;
    const close = quoteOf(symbol, instant(day.closesAt - 1)).last;
    const range = { high: Math.max(open, close), low: Math.min(open, close) };
    return [
      { openedAt: day.opensAt, closedAt: day.closesAt, date, open, close, ...range, volume: world.volume },
    ];
  };
  return {
    instruments: () => ok(INSTRUMENTS),
    clock: () => ok({ now: world.at, daySeconds: 86_400, mode: 'sandbox', paused: false, endsAt: null }),
    dailyBars(symbol, from, to) {
      const bars: Bar[] = [];
      for (let date = from; date <= to; date = addDays(date, 1)) bars.push(...barOf(symbol, date));
      return ok({ bars, malformed: null });
    },
    corporateActions: () => ok([]),
    quotes: (symbols) => ok(symbols.flatMap((symbol) => prices.quote(symbol, world.at) ?? [])),
  };
}

let harnesses = 0;
const LIMIT: Record<Side, Record<OrderPrice, number>> = {
  buy: { marketable: 103, far: 50, beyond_means: 103 },
  sell: { marketable: 97, far: 150, beyond_means: 97 },
};
