// A small seeded market for simulated worlds: two shares and a coin that drift, jump, split and pay, with sessions of
// their real calendars. Quotes of a day and its bar are read off one path.
import { nextSession, previousSession, type Session, sessionAt } from '#engine/market/calendar.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import { equityInstrument } from '../support/engine/random-market.ts';
import type { PriceSource, ShareAction } from '#sandbox/market/price-source.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { type Chance, chanceOf } from './chance.ts';

const HISTORY_SESSIONS = 30;
const FUTURE_SESSIONS = 120;
const POINTS = 8;

type Day = { readonly session: Session; readonly path: readonly number[] };

export type SeededPrices = PriceSource & {
  /** One more split or dividend, of a day that is still to come; its prices are then of a world in which it happens. */
  announce(action: ShareAction): void;
  /** From the next quote after `at` on, everything is worth `factor` times as much. */
  move(symbol: Symbol, at: Instant, factor: number): void;
};

export function seededPrices(seed: number, start: Instant): SeededPrices {
  const actions: ShareAction[] = [];
  const days = new Map<Symbol, Day[]>();
  for (const [stream, instrument] of INSTRUMENTS.entries()) {
    const chance = chanceOf(seed, 100 + stream);
    const own = instrument.kind === 'equity' ? shareActions(instrument.symbol, start, chance) : [];
    actions.push(...own);
    days.set(instrument.symbol, daysOf(instrument, start, chance, own));
  }
  const inOrder = () => actions.sort((a, b) => (a.exDate < b.exDate ? -1 : 1));
  inOrder();
  return {
    instruments: INSTRUMENTS,
    announce(action) {
      actions.push(action);
      inOrder();
      const known = days.get(action.symbol) ?? [];
      const after = (day: Day): Day =>
        day.session.date < action.exDate
          ? day
          : { ...day, path: day.path.map((price) => rounded(priceAfter(price, action), 2)) };
      days.set(action.symbol, known.map(after));
    },
    move(symbol, at, factor) {
      const decimals = INSTRUMENTS.find((one) => one.symbol === symbol)!.priceDecimals;
      const moved = ({ session, path }: Day): Day => {
        const from = session.opensAt > at ? 0 : partOf(session, at) + 1;
        return {
          session,
          path: path.map((price, part) => (part < from ? price : rounded(price * factor, decimals))),
        };
      };
      const known = days.get(symbol) ?? [];
      days.set(
        symbol,
        known.map((day) => (day.session.closesAt <= at ? day : moved(day))),
      );
    },
    actions(at) {
      const next = utcDate(nextSession('us-equity', at).opensAt);
      return actions.filter(({ exDate }) => exDate <= next);
    },
    dailyBars: (symbol, { from, to, asOf }) =>
      (days.get(symbol) ?? [])
        .filter(({ session }) => session.closesAt <= asOf && session.date >= from && session.date <= to)
        .map(barOf),
    quote(symbol, at) {
      const known = days.get(symbol);
      const day = known?.findLast(({ session }) => session.opensAt <= at);
      const instrument = INSTRUMENTS.find((one) => one.symbol === symbol);
      if (day === undefined || instrument === undefined) return null;
      const last = day.path[partOf(day.session, at)]!;
      const open = sessionAt(instrument.calendar, at) !== null;
      const priced = (factor: number) => rounded(last * factor, instrument.priceDecimals);
      return { symbol, at, last, bid: priced(0.9995), ask: priced(1.0005), open };
    },
  };
}

/** Which point of the path of its day is quoted. */
function partOf({ opensAt, closesAt }: Session, at: Instant): number {
  return Math.min(POINTS - 1, Math.floor(((at - opensAt) / (closesAt - opensAt)) * POINTS));
}

/** A split and a dividend in some worlds, within the days that are simulated. */
function shareActions(symbol: Symbol, start: Instant, chance: Chance): ShareAction[] {
  const dayAfter = (days: number) => nextSession('us-equity', (start + days * 86_400_000) as Instant).date;
  const found: ShareAction[] = [];
  if (chance.happens(0.3))
    found.push({
      symbol,
      kind: 'split',
      exDate: dayAfter(2 + chance.below(8)),
      amount: chance.pick([2, 3, 20, 0.5]),
    });
  if (chance.happens(0.4))
    found.push({ symbol, kind: 'dividend', exDate: dayAfter(13 + chance.below(6)), amount: 0.37 });
  return found;
}

function daysOf(
  { symbol, calendar, priceDecimals }: Instrument,
  start: Instant,
  chance: Chance,
  actions: readonly ShareAction[],
): Day[] {
  let session = previousSession(calendar, start);
  for (let i = 1; i < HISTORY_SESSIONS; i++) session = previousSession(calendar, session.opensAt);
  let price = FIRST_PRICE[symbol] ?? 100;
  const days: Day[] = [];
  for (let i = 0; i < HISTORY_SESSIONS + FUTURE_SESSIONS; i++) {
    for (const action of actions) if (action.exDate === session.date) price = priceAfter(price, action);
    const jumps = i > HISTORY_SESSIONS && chance.happens(0.08);
    price *= 1 + (jumps ? chance.pick([-0.18, -0.1, 0.12]) : (chance.next() - 0.5) * 0.02);
    const path = Array.from({ length: POINTS }, () => {
      price *= 1 + (chance.next() - 0.49) * 0.015;
      return rounded(price, priceDecimals);
    });
    days.push({ session, path });
    session = nextSession(calendar, session.opensAt);
  }
  return days;
}

function priceAfter(price: number, { kind, amount }: ShareAction): number {
  return kind === 'split' ? price / amount : price - amount;
}

function barOf({ session, path }: Day): Bar {
  const { date, opensAt, closesAt } = session;
  return {
    date,
    openedAt: opensAt,
    closedAt: closesAt,
    open: path[0]!,
    high: Math.max(...path),
    low: Math.min(...path),
    close: path.at(-1)!,
    volume: 1_000,
  };
}

const rounded = (price: number, decimals: number) =>
  Math.max(10 ** -decimals, Math.round(price * 10 ** decimals) / 10 ** decimals);

function instrument(symbol: string, fields: Partial<Instrument>): Instrument {
  return { ...equityInstrument(symbol), ...fields };
}

const FIRST_PRICE: { readonly [symbol: string]: number } = { AAA: 100, BBB: 40, BTCUSD: 300, USDCHF: 0.9 };

const INSTRUMENTS: readonly Instrument[] = [
  instrument('AAA', {}),
  instrument('BBB', {}),
  instrument('BTCUSD', {
    kind: 'crypto',
    unitCurrency: 'BTC',
    calendar: 'crypto',
    quantityStep: toQuantity(0.0001),
  }),
  instrument('USDCHF', {
    kind: 'forex',
    currency: 'CHF',
    unitCurrency: 'USD',
    calendar: 'forex',
    settlement: 'margin',
    priceDecimals: 5,
  }),
];
