// Splits, dividends, swaps, expiries, deliveries, fees in coins and adjustments, from what their rows say.
import type { Instrument, PositionEvent } from './rows.ts';
import {
  dollarsPer,
  type Held,
  millionths,
  type Moved,
  NOTHING,
  settle,
  type State,
  type Trade,
  trade,
  wholeUnits,
} from './trade.ts';

type Applied = { readonly state: State; readonly moved: Moved };
type Instruments = ReadonlyMap<string, Instrument>;

export function applyEvent(state: State, row: PositionEvent, instruments: Instruments): Applied {
  const { kind, symbol, event, entitled } = row;
  const held = state.held.get(symbol);
  switch (kind) {
    case 'split': {
      if (held === undefined) return { state, moved: NOTHING };
      const units = wholeUnits(held.units + wholeUnits(entitled * (Number(event.ratio) - 1)));
      return {
        state: { ...state, held: new Map(state.held).set(symbol, { ...held, units }) },
        moved: NOTHING,
      };
    }
    case 'dividend':
    case 'swap': {
      const paid = entitled * Number(event.perUnit);
      return {
        state: { ...state, cash: state.cash + paid, realized: state.realized + paid },
        moved: { profit: paid, commission: 0 },
      };
    }
    case 'expiry':
      if (held === undefined) return { state, moved: NOTHING };
      return trade(state, instrumentOf(symbol, instruments), free(-held.units, Number(event.price)));
    case 'coin_fee': {
      const units = natural(event.units);
      if (held === undefined || held.units <= 0 || units > held.units) return { state, moved: NOTHING };
      return trade(state, instrumentOf(symbol, instruments), free(-units, Number(event.price)));
    }
    case 'exercise':
    case 'assignment':
      return deliver(state, row, instruments);
    case 'adjustment':
      return adjust(state, row, instrumentOf(symbol, instruments));
    default:
      throw new Error(`an event of a holding of an unknown kind: ${kind}`);
  }
}

/** Contracts leave at their cost, and what they cost becomes part of the price of the shares. */
function deliver(state: State, { symbol, event }: PositionEvent, instruments: Instruments): Applied {
  const [contracts, shares] = deliveredTrades(event, state.held.get(symbol));
  const left = trade(state, instrumentOf(symbol, instruments), contracts);
  const got = trade(left.state, instrumentOf(String(event.underlying), instruments), shares);
  return {
    state: got.state,
    moved: { profit: left.moved.profit + got.moved.profit, commission: 0 },
  };
}

/** Of the contracts and of the shares; `held`: the contracts before it. */
export function deliveredTrades(
  event: PositionEvent['event'],
  held: Held | undefined,
): readonly [Trade, Trade] {
  const [contracts, shares] = [natural(event.contracts), natural(event.shares)];
  const isHeld = held !== undefined && Math.sign(held.units) === Math.sign(contracts);
  const cost = isHeld ? held.cost * Math.min(1, contracts / held.units) : 0;
  const premium = cost / shares;
  return [free(-contracts, Math.abs(premium)), free(shares, Number(event.strike) + premium)];
}

/** What is not booked of it, because the units are not held any more, is its shortfall. */
function adjust(state: State, { event }: PositionEvent, instrument: Instrument): Applied {
  const { whole, undone, booked } = adjustedTrades(event);
  const profit = whole && undone ? dollars((event.undoes as Row).profit) * (undone.units / whole.units) : 0;
  const without =
    undone === null ? { state, moved: NOTHING } : undo(state, instrument, { ...undone, profit });
  if (booked === null) return without;
  const done = trade(without.state, instrument, booked);
  return {
    state: done.state,
    moved: {
      profit: without.moved.profit + done.moved.profit,
      commission: without.moved.commission + done.moved.commission,
    },
  };
}

export function adjustedTrades(event: PositionEvent['event']): {
  readonly whole: Trade | null;
  readonly undone: Trade | null;
  readonly booked: Trade | null;
} {
  const shortfall = natural(event.shortfall ?? 0);
  const whole = tradeOf(event.undoes);
  const books = tradeOf(event.books);
  const stays = Math.min(shortfall, Math.max(0, whole?.units ?? 0));
  const unsold = shortfall - stays;
  return {
    whole,
    undone: whole && partOf(whole, wholeUnits(whole.units - stays)),
    booked: books && partOf(books, wholeUnits(books.units + unsold)),
  };
}

/** Takes an execution out as it was booked, where what remains can have that cost; else trades it back at its price. */
function undo(
  state: State,
  instrument: Instrument,
  { units, price, commission, profit }: Trade & { readonly profit: number },
): Applied {
  const before = state.held.get(instrument.symbol) ?? { units: 0, cost: 0 };
  const after = wholeUnits(before.units - units);
  const paid = millionths(-units * price * instrument.multiplier);
  const rate = dollarsPer(instrument, price);
  const givenBack = { after, commission: -commission };
  if (after === 0)
    return settle(state, instrument, { ...givenBack, cost: 0, profit: (-before.cost - paid) * rate });
  const cost = millionths(before.cost + paid - profit / rate);
  const stays = before.units === 0 || Math.sign(before.units) === Math.sign(after);
  if (stays && Math.sign(cost) === Math.sign(after))
    return settle(state, instrument, { ...givenBack, cost, profit: -profit });
  return trade(state, instrument, { units: -units, price, commission: -commission });
}

type Row = Readonly<Record<string, unknown>>;

function tradeOf(value: unknown): Trade | null {
  if (value === null || value === undefined) return null;
  const { units, price, commission } = value as Row;
  return { units: natural(units), price: Number(price), commission: dollars(commission) };
}

function partOf({ units: all, price, commission }: Trade, units: number): Trade | null {
  return units === 0 ? null : { units, price, commission: commission * (units / all) };
}

function instrumentOf(symbol: string, instruments: Instruments): Instrument {
  const found = instruments.get(symbol);
  if (found === undefined) throw new Error(`the views have no instrument ${symbol}`);
  return found;
}

const free = (units: number, price: number): Trade => ({ units, price, commission: 0 });
/** The JSON of an event counts quantities in units of 1e-8, and money in units of 1e-6. */
const natural = (value: unknown): number => Number(value) / 1e8;
const dollars = (value: unknown): number => Number(value) / 1e6;
