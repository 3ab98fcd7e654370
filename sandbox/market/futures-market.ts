// Futures next to a market of shares: three roots, each on a listed fund, with quarterly contracts priced by the cost of
// carry, F = S × e^(carry × years to expiry), and a continuous series that chains the returns of the front contract.
import { previousSession, sessionAt } from '#engine/market/calendar.ts';
import { contractMonths } from '#engine/market/derivatives/contract-months.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, DAY_MS, type Instant, type IsoDate, instantOfDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { roundPrice } from './price-models/day-path.ts';
import type { PriceSource, Quote } from './price-source.ts';
import { quoteAround } from './spread.ts';

type Root = {
  readonly symbol: string;
  readonly name: string;
  /** The fund that it is on. */
  readonly spot: string;
  readonly multiplier: number;
  /** Interest less what the underlying yields, per year. Positive: later months are dearer. */
  readonly carry: number;
};

const ROOTS: readonly Root[] = [
  { symbol: 'BWSX', name: 'Sandbox US Market micro future', spot: 'BWMKT', multiplier: 5, carry: 0.006 },
  {
    symbol: 'BWTB',
    name: 'Sandbox Treasury Bond micro future',
    spot: 'BWBND',
    multiplier: 10,
    carry: -0.008,
  },
  { symbol: 'BWAU', name: 'Sandbox Gold micro future', spot: 'BWGLD', multiplier: 10, carry: 0.021 },
];

const FIRST_DAY = '2013-01-02' as IsoDate;
/** Contracts for more years than any sandbox will run. */
const CONTRACTS_LISTED = 4 * 25;
/** A contract is listed for its own quarter and the one before it. */
const LISTED_DAYS = 200;
const DECIMALS = 2;

type Listed = {
  readonly instrument: Instrument;
  readonly root: Root;
  readonly from: IsoDate;
  /** What the spot price of a day is multiplied by. */
  readonly factor: (date: IsoDate) => number;
};

/** The market with futures added. Prices of the underlying funds must be among the source's. */
export function withFutures(source: PriceSource): PriceSource {
  const listed = new Map<Symbol, Listed>(ROOTS.flatMap(listRoot).map((one) => [one.instrument.symbol, one]));
  const scaled = ({ factor }: Listed, date: IsoDate, price: number) =>
    roundPrice(price * factor(date), DECIMALS);
  const barOf = (one: Listed, bar: Bar): Bar => ({
    ...bar,
    open: scaled(one, bar.date, bar.open),
    high: scaled(one, bar.date, bar.high),
    low: scaled(one, bar.date, bar.low),
    close: scaled(one, bar.date, bar.close),
    volume: Math.round(bar.volume / 1_000),
  });
  const bars = (one: Listed, range: { from: IsoDate; to: IsoDate; asOf: Instant }) => {
    const { expiry } = one.instrument;
    const from = range.from > one.from ? range.from : one.from;
    const to = expiry !== null && expiry < range.to ? expiry : range.to;
    return source.dailyBars(one.root.spot as Symbol, { ...range, from, to }).map((bar) => barOf(one, bar));
  };
  const quote = (one: Listed, at: Instant): Quote | null => {
    const { instrument, root, from } = one;
    const day = sessionAt(instrument.calendar, at) ?? previousSession(instrument.calendar, at);
    if (day.date < from) return null;
    if (instrument.expiry !== null && day.date > instrument.expiry) {
      const last = bars(one, { from: instrument.expiry, to: instrument.expiry, asOf: at }).at(-1);
      return last ? quoteAround(instrument, last.close, at, false) : null;
    }
    const spot = source.quote(root.spot as Symbol, at);
    return spot && quoteAround(instrument, scaled(one, day.date, spot.last), at, spot.open);
  };
  return {
    ...source,
    instruments: [...source.instruments, ...[...listed.values()].map(({ instrument }) => instrument)],
    listedAt: (at) => {
      const date = previousSession('us-equity', at).date;
      const own = [...listed.values()].filter(({ from }) => from <= date);
      return [...(source.listedAt?.(at) ?? source.instruments), ...own.map(({ instrument }) => instrument)];
    },
    quote: (symbol, at) => {
      const one = listed.get(symbol);
      return one ? quote(one, at) : source.quote(symbol, at);
    },
    dailyBars: (symbol, range) => {
      const one = listed.get(symbol);
      return one ? bars(one, range) : source.dailyBars(symbol, range);
    },
  };
}

function listRoot(root: Root): Listed[] {
  const continuous: Instrument = {
    symbol: root.symbol as Symbol,
    kind: 'futures',
    name: `${root.name}, continuous`,
    currency: 'USD',
    unitCurrency: null,
    multiplier: root.multiplier,
    quantityStep: toQuantity(1),
    priceDecimals: DECIMALS,
    calendar: 'us-equity',
    settlement: 'margin',
    expiry: null,
  };
  const contracts = contractMonths(continuous.symbol, FIRST_DAY, CONTRACTS_LISTED).map(
    ({ symbol, expiry }): Listed => ({
      instrument: { ...continuous, symbol, name: `${root.name} ${symbol.slice(-5)}`, expiry },
      root,
      from: later(FIRST_DAY, addDays(expiry, -LISTED_DAYS)),
      factor: (date) => Math.exp(root.carry * years(date, expiry)),
    }),
  );
  // The front contract loses its carry day by day: chaining its returns gives the spot return minus the carry.
  const chained = (date: IsoDate) => Math.exp(-root.carry * years(FIRST_DAY, date));
  return [{ instrument: continuous, root, from: FIRST_DAY, factor: chained }, ...contracts];
}

const years = (from: IsoDate, to: IsoDate) => (instantOfDate(to) - instantOfDate(from)) / DAY_MS / 365;
const later = (left: IsoDate, right: IsoDate) => (left > right ? left : right);
