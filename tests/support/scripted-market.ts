// A market whose prices and clock the test sets. Closed bars follow from those prices; nothing is random.
import type { VendorDays } from '../../src/engine/market/calendar-exceptions.ts';
import { hours, nextSession, previousSession, session, sessionAt } from '../../src/engine/market/calendar.ts';
import type { Bar, CalendarId, Instrument } from '../../src/engine/market/instrument.ts';
import { equityInstrument } from './engine/random-market.ts';
import type { ListedAction, MarketDataFeed } from '../../src/ports/market-data.ts';
import type { Symbol } from '../../src/units/identifiers.ts';
import {
  addDays,
  type Instant,
  type IsoDate,
  MINUTE_MS,
  parseInstant,
  utcDate,
} from '../../src/units/instant.ts';

export type ScriptedMarket = {
  readonly feed: MarketDataFeed;
  readonly instruments: readonly Instrument[];
  /** Splits and dividends that the feed reports. */
  readonly actions: ListedAction[];
  now(): Instant;
  price(symbol: string): number;
  setPrice(symbol: string, price: number): void;
  /** A contract that is listed from the next day on; it has quotes and no bars, as options have. */
  list(contract: Instrument, price: number): void;
  isOpen(symbol: string): boolean;
  /** A minute into the next session of the calendar; days that close on the way leave their bars. */
  openDay(calendar?: CalendarId): void;
  /** A minute after the close of the session that is open, or of the next one. */
  closeDay(calendar?: CalendarId): void;
  advance(ms: number): void;
  /** Called after each move of the clock. */
  onMove(listener: () => void): void;
  /** While set, every call fails with this code. */
  outage: 'unreachable' | null;
  /** What has no quote. */
  unquoted: string | null;
  /** What a second feed says about each instrument; null: there is none. Silent where it has no price. */
  second: { readonly [symbol: string]: number } | null;
  /** Days on which the exchange stays closed by the vendor's word, against our rules. */
  readonly closedByVendor: Set<IsoDate>;
  /** Days on which it is open by the vendor's word, against our rules. */
  readonly openedByVendor: Set<IsoDate>;
  /** Instruments in which the exchange has halted trading. */
  readonly halted: Set<string>;
  /** Changes a bar before it is delivered, to plant a bad one. */
  spoil: ((bar: Bar, symbol: Symbol) => Bar) | null;
};

export function scriptedMarket(
  start = '2026-03-02T15:00:00Z',
  days = 40,
  more: readonly Instrument[] = [],
): ScriptedMarket {
  let now = parseInstant(start);
  const traded = [...INSTRUMENTS, ...more];
  const prices = new Map<string, number>(traded.map(({ symbol }) => [symbol, FIRST_PRICES[symbol] ?? 100]));
  const bars = new Map<string, Bar[]>(traded.map(({ symbol }) => [symbol, []]));
  const listeners: (() => void)[] = [];
  for (const instrument of traded) {
    let closed = previousSession(instrument.calendar, now);
    for (let i = 0; i < days; i++) {
      bars.get(instrument.symbol)!.unshift(barOf(closed, prices.get(instrument.symbol)!));
      closed = previousSession(instrument.calendar, closed.opensAt);
    }
  }
  const move = (to: Instant) => {
    for (const { symbol, calendar } of traded) {
      const own = bars.get(symbol)!;
      for (let next = nextSession(calendar, own.at(-1)!.openedAt); next.closesAt <= to; ) {
        own.push(barOf(next, prices.get(symbol)!));
        next = nextSession(calendar, next.opensAt);
      }
    }
    now = to;
    for (const listener of listeners) listener();
  };
  const listed: Instrument[] = [...traded];
  const isOpen = (symbol: string) =>
    sessionAt(listed.find((one) => one.symbol === symbol)!.calendar, now) !== null;

  const actions: ListedAction[] = [];

  const market: ScriptedMarket = {
    actions,
    instruments: listed,
    outage: null,
    unquoted: null,
    second: null,
    halted: new Set(),
    closedByVendor: new Set(),
    openedByVendor: new Set(),
    spoil: null,
    now: () => now,
    price: (symbol) => prices.get(symbol)!,
    setPrice: (symbol, price) => void prices.set(symbol, price),
    list(contract, price) {
      listed.push(contract);
      prices.set(contract.symbol, price);
    },
    isOpen,
    openDay: (calendar = 'us-equity') => move((nextSession(calendar, now).opensAt + MINUTE_MS) as Instant),
    closeDay: (calendar = 'us-equity') =>
      move(((sessionAt(calendar, now) ?? nextSession(calendar, now)).closesAt + MINUTE_MS) as Instant),
    advance: (ms) => move((now + ms) as Instant),
    onMove: (listener) => void listeners.push(listener),
    feed: {
      instruments: async () => answer([...listed]),
      clock: async () =>
        answer({ now, daySeconds: 20, mode: 'sandbox', paused: true, endsAt: null } as const),
      dailyBars: async (symbol, from, to) =>
        answer({
          bars: bars
            .get(symbol)!
            .filter(({ date }) => date >= from && date <= to)
            .map((bar) => market.spoil?.(bar, symbol) ?? bar),
          malformed: null,
        }),
      calendarDays: async () => answer([vendorDays(now, market)]),
      corporateActions: async () => answer(actions),
      quotes: async (symbols) =>
        answer(
          symbols.flatMap((symbol) => {
            if (symbol === market.unquoted) return [];
            const last = prices.get(symbol)!;
            const halt = market.halted.has(symbol) && { halt: { since: now, said: 'News pending' } };
            const quote = { symbol, last, bid: last, ask: last, open: isOpen(symbol), at: now, ...halt };
            return [market.second === null ? quote : { ...quote, check: checkOf(symbol) }];
          }),
        ),
    },
  };
  const checkOf = (symbol: Symbol) => {
    const last = market.second?.[symbol];
    return { feed: 'Other', quote: last === undefined ? null : { last, at: now }, said: null };
  };
  const answer = <Value>(value: Value) =>
    market.outage === null
      ? ({ ok: true, value } as const)
      : ({ ok: false, code: market.outage, message: 'the feed is down' } as const);
  return market;
}

/** A month of them, by our rules but for those that are closed or opened. */
function vendorDays(
  now: Instant,
  {
    closedByVendor: closed,
    openedByVendor: opened,
  }: Pick<ScriptedMarket, 'closedByVendor' | 'openedByVendor'>,
): VendorDays {
  const [from, to] = [addDays(utcDate(now), -15), addDays(utcDate(now), 15)];
  const sessions = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const ours = opened.has(date) ? hours('us-equity', date) : session('us-equity', date);
    const held = closed.has(date) ? null : ours;
    if (held !== null) sessions.push(held);
  }
  return { calendar: 'us-equity', from, to, sessions };
}

function barOf(day: { date: IsoDate; opensAt: Instant; closesAt: Instant }, price: number): Bar {
  const { date, opensAt, closesAt } = day;
  return {
    date,
    openedAt: opensAt,
    closedAt: closesAt,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 1,
  };
}

function instrument(symbol: string, fields: Partial<Instrument>): Instrument {
  return { ...equityInstrument(symbol), ...fields };
}

const INSTRUMENTS: readonly Instrument[] = [
  instrument('AAA', {}),
  instrument('BBB', {}),
  instrument('USDJPY', {
    kind: 'forex',
    currency: 'JPY',
    unitCurrency: 'USD',
    priceDecimals: 3,
    calendar: 'forex',
    settlement: 'margin',
  }),
];

const FIRST_PRICES: { readonly [symbol: string]: number } = {
  AAA: 100,
  BBB: 40,
  USDJPY: 150,
  BTCUSD: 40_000,
};
