// Options as the symbol names them: 'BWMKT.260220C250' is the call on BWMKT at 250 that ends on 20 February 2026, on one
// hundred shares. It is American and delivers the shares; with an E at the end it is European and settles in cash, as
// options on an index do. The name says everything.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { previousTradingDay } from './calendar.ts';
import { nthWeekday } from './calendar-new-york-time.ts';
import type { Instrument } from './instrument.ts';

export type OptionContract = {
  readonly symbol: Symbol;
  readonly underlying: Symbol;
  readonly right: 'call' | 'put';
  readonly strike: number;
  /** Last trading day; settled at its close. */
  readonly expiry: IsoDate;
  /** american: may be exercised after any session. european: only at expiry. */
  readonly style: 'american' | 'european';
  readonly settlement: OptionSettlement;
};

/** shares: the underlying changes hands at the strike. cash: the exercise value is paid. */
export const OPTION_SETTLEMENTS = ['shares', 'cash'] as const;
export type OptionSettlement = (typeof OPTION_SETTLEMENTS)[number];

export function optionContract(terms: Omit<OptionContract, 'symbol' | 'style'>): OptionContract {
  const { underlying, right, strike, expiry, settlement } = terms;
  const day = expiry.slice(2).replaceAll('-', '');
  const mark = settlement === 'cash' ? 'E' : '';
  const symbol = `${underlying}.${day}${right === 'call' ? 'C' : 'P'}${strike}${mark}` as Symbol;
  return { ...terms, symbol, style: settlement === 'cash' ? 'european' : 'american' };
}

/** The contract that a symbol names; null when it is not an option's. */
export function parseOption(symbol: Symbol): OptionContract | null {
  // Runs for every order of every deployment: most symbols are plain.
  const found = symbol.includes('.') ? OPTION_SYMBOL.exec(symbol) : null;
  if (found === null) return null;
  const [, underlying, year, month, day, right, strike, mark] = found;
  return {
    symbol,
    underlying: underlying as Symbol,
    right: right === 'C' ? 'call' : 'put',
    strike: Number(strike),
    expiry: `20${year}-${month}-${day}` as IsoDate,
    style: mark === 'E' ? 'european' : 'american',
    settlement: mark === 'E' ? 'cash' : 'shares',
  };
}

export function optionInstrument(option: OptionContract): Instrument {
  const { symbol, underlying, right, strike, expiry, settlement } = option;
  return {
    symbol,
    kind: 'options',
    name: `${underlying} ${strike} ${right} ${expiry}${settlement === 'cash' ? ', settled in cash' : ''}`,
    currency: 'USD',
    unitCurrency: null,
    multiplier: OPTION_MULTIPLIER,
    quantityStep: toQuantity(1),
    priceDecimals: 2,
    calendar: 'us-equity',
    settlement: 'cash',
    expiry,
  };
}

/** The exercise value per unit of the underlying. */
export function intrinsicValue(
  { right, strike }: Pick<OptionContract, 'right' | 'strike'>,
  spot: number,
): number {
  return Math.max(0, right === 'call' ? spot - strike : strike - spot);
}

/** The last trading days of monthly options on or after a day, nearest first: third Fridays, or the day before. */
export function monthlyExpiries(from: IsoDate, count: number): IsoDate[] {
  const found: IsoDate[] = [];
  for (
    let month = Number(from.slice(5, 7)) - 1, year = Number(from.slice(0, 4));
    found.length < count;
    month++
  ) {
    const friday = nthWeekday(year + Math.floor(month / 12), (month % 12) + 1, FRIDAY, 3);
    const expiry = previousTradingDay('us-equity', addDays(friday, 1));
    if (expiry >= from) found.push(expiry);
  }
  return found;
}

/** The distance between listed strikes, in dollars. */
export function strikeStep(spot: number): number {
  return spot < 50 ? 1 : spot < 150 ? 2 : 5;
}

export const OPTION_MULTIPLIER = 100;
const FRIDAY = 5;
const OPTION_SYMBOL = /^([A-Z0-9-]+)\.(\d\d)(\d\d)(\d\d)([CP])(\d+)(E?)$/;
