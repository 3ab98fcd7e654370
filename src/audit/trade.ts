// Average cost, written down again from the trading rules: what a trade does to cash, to a position and to the result.
import type { Instrument } from './rows.ts';

export type Held = { readonly units: number; readonly cost: number };

export type State = {
  readonly cash: number;
  /** Less every commission. */
  readonly realized: number;
  readonly held: ReadonlyMap<string, Held>;
};

/** What one booking moved. `profit` is before commission. */
export type Moved = { readonly profit: number; readonly commission: number };

export const NOTHING: Moved = { profit: 0, commission: 0 };

/** `units` is below zero for a sale. */
export type Trade = { readonly units: number; readonly price: number; readonly commission: number };

export function trade(
  state: State,
  instrument: Instrument,
  { units, price, commission }: Trade,
): { readonly state: State; readonly moved: Moved } {
  const { symbol, multiplier } = instrument;
  const before = state.held.get(symbol) ?? { units: 0, cost: 0 };
  const paid = millionths(units * price * multiplier);
  const after = wholeUnits(before.units + units);
  const closes = before.units !== 0 && Math.sign(units) !== Math.sign(before.units);
  const isCrossed = closes && after !== 0 && Math.sign(after) !== Math.sign(before.units);
  let cost = millionths(before.cost + paid);
  if (isCrossed) cost = millionths(after * price * multiplier);
  else if (closes) cost = millionths(before.cost * (after / before.units));
  const profit = (closes ? cost - before.cost - paid : 0) * dollarsPer(instrument, price);
  return settle(state, instrument, { after, cost, profit, commission });
}

/** The position becomes this, and cash moves by what that leaves over. */
export function settle(
  state: State,
  { symbol, settlement }: Instrument,
  {
    after,
    cost,
    profit,
    commission,
  }: { readonly after: number; readonly cost: number; readonly profit: number; readonly commission: number },
): { readonly state: State; readonly moved: Moved } {
  const tied = settlement === 'cash' ? cost - (state.held.get(symbol)?.cost ?? 0) : 0;
  const held = new Map(state.held);
  if (after === 0) held.delete(symbol);
  else held.set(symbol, { units: after, cost });
  return {
    state: {
      cash: state.cash + profit - tied - commission,
      realized: state.realized + profit - commission,
      held,
    },
    moved: { profit, commission },
  };
}

/** Of the currency that its price is in; everything that is traded is quoted in dollars or counts dollars. */
export function dollarsPer({ currency, unitCurrency, symbol }: Instrument, price: number): number {
  if (currency === 'USD') return 1;
  if (unitCurrency === 'USD') return 1 / price;
  throw new Error(`${symbol} is quoted in ${currency}, and the views have no rate for it`);
}

/** What a position is worth: the whole of it, or its open profit alone where money is not tied up. */
export function worthOf(instrument: Instrument, { units, cost }: Held, price: number): number {
  const whole = units * price * instrument.multiplier;
  return instrument.settlement === 'cash' ? whole : (whole - cost) * dollarsPer(instrument, price);
}

/** Units have eight decimals; sums of doubles have more. */
export function wholeUnits(units: number): number {
  return Math.round(units * 1e8) / 1e8;
}

/** Money is kept so: a cost of less is zero, and has no side. */
export function millionths(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

/** Half a cent: figures are kept in millionths of a dollar, rounded at each booking. */
export function isSame(left: number, right: number): boolean {
  return Math.abs(left - right) < 0.005;
}

export function isSameUnits(left: number, right: number): boolean {
  return Math.abs(left - right) < 5e-9 * Math.max(1, Math.abs(left));
}
