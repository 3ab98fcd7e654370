// What can be traded. One model for all five kinds; what differs between kinds is data here, not code elsewhere.
import type { Currency } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Halt } from './security-change.ts';

export const INSTRUMENT_KINDS = ['equity', 'forex', 'crypto', 'futures', 'options'] as const;
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];

/** The exchange calendar whose sessions bound an instrument's daily bars. */
export const CALENDARS = [
  'us-equity',
  'xetra',
  'euronext-paris',
  'euronext-amsterdam',
  'london',
  'six',
  'forex',
  'crypto',
] as const;
export type CalendarId = (typeof CALENDARS)[number];

/**
 * cash: the whole notional changes hands at the fill (equity, crypto).
 * margin: only profit and loss change hands; a position is worth its unrealised profit (forex, futures).
 */
export type Settlement = 'cash' | 'margin';

export type Instrument = {
  readonly symbol: Symbol;
  readonly kind: InstrumentKind;
  readonly name: string;
  /** The currency that the price is quoted in. */
  readonly currency: Currency;
  /** The currency or coin that one unit is: 'EUR' of EURUSD, 'BTC' of BTCUSD. Null for the other kinds. */
  readonly unitCurrency: string | null;
  /** Notional = quantity × price × multiplier. 1 but for futures and options. */
  readonly multiplier: number;
  /** Smallest tradable amount: 1 share, 0.0001 coin. Orders are whole multiples of it. */
  readonly quantityStep: Quantity;
  /** Decimals of a quoted price. */
  readonly priceDecimals: number;
  readonly calendar: CalendarId;
  readonly settlement: Settlement;
  /** Last trading day, for futures and options. */
  readonly expiry: IsoDate | null;
  /** What a vendor allows of it today; absent where none says so, as in every backtest: it says nothing of the past. */
  readonly terms?: InstrumentTerms;
};

export type InstrumentTerms = {
  /** False: only what reduces a position is ordered. */
  readonly isTradable?: boolean;
  readonly isShortable?: boolean;
  /** False: only whole units, whatever the quantity step. */
  readonly isFractionable?: boolean;
  /** Prices are whole multiples of it, where decimals alone do not say so. */
  readonly priceTick?: number;
  /** Nothing is ordered: it is about to be, or has become, something else. */
  readonly halt?: Halt;
};

/** What orders are whole multiples of, as of today. */
export function orderStep({ quantityStep, terms }: Pick<Instrument, 'quantityStep' | 'terms'>): Quantity {
  return terms?.isFractionable === false ? (Math.max(quantityStep, WHOLE_UNIT) as Quantity) : quantityStep;
}

const WHOLE_UNIT = toQuantity(1);

/** The latest price of each instrument, in its own quote currency. */
export type Marks = ReadonlyMap<Symbol, number>;

/** One closed bar: the half-open interval [openedAt, closedAt). */
export type Bar = {
  readonly openedAt: Instant;
  readonly closedAt: Instant;
  /** The trading day that the bar belongs to, by its exchange's calendar. */
  readonly date: IsoDate;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
};

export type BarInterval = '1d' | '1h' | '1m';

/** Parts of a session that a strategy may read: cut from its minutes. */
export const INTRADAY_INTERVALS = ['1m', '5m', '15m', '30m', '1h'] as const;
export type IntradayInterval = (typeof INTRADAY_INTERVALS)[number];
