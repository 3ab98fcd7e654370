// The round trips of one instrument in one deployment, folded from everything that was booked for it: executions, splits,
// income, expiries, deliveries and adjustments. Promises the trade book of the backtest, and that a corrected execution counts
// where it was first booked: what it should have been, from the beginning on.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, type Micro, micro, scale, toMicro, ZERO_MICRO } from '#units/money.ts';
import { fromQuantity, type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Instrument } from '../market/instrument.ts';
import { type Adjustment, type AdjustedTrade, withoutShortfall } from '../market/adjustment.ts';
import type { ClientOrderId } from '#units/identifiers.ts';
import { applyFill, openPortfolio } from './apply-fill.ts';
import { type ClosedTrade, type OpenTrade, TradeBook, type TradeExecution } from './closed-trades.ts';
import type { Portfolio } from './portfolio.ts';

/** What the last booking of a round trip was. */
export type TripEnd = 'order' | 'expiry' | 'exercise' | 'assignment' | 'coin_fee' | 'adjustment';

export type TripBooking = {
  /** Rises with the bookings of a deployment. */
  readonly place: number;
} & (
  | {
      readonly type: 'execution';
      /** Account and execution; empty for what no broker reported. */
      readonly id: string;
      /** In the units of the day on which it was booked. */
      readonly execution: TradeExecution;
      readonly by: TripEnd;
    }
  /** `held` and `entitled`: the position before it, and what of it the split is for. */
  | { readonly type: 'split'; readonly ratio: number; readonly held: Quantity; readonly entitled: Quantity }
  /** A dividend or a swap. */
  | { readonly type: 'income'; readonly amount: Micro }
  | { readonly type: 'expiry'; readonly price: number; readonly at: Instant }
  | {
      readonly type: 'adjustment';
      readonly adjustment: Adjustment;
      /** The execution that it undoes, and the one that it books. */
      readonly undoes: string | null;
      readonly books: string;
      readonly at: Instant;
    }
);

export type RoundTrip = {
  readonly side: 'long' | 'short';
  readonly openedAt: Instant;
  /** Null while the position is open; then the exit is what of it was closed so far. */
  readonly closedAt: Instant | null;
  /** Everything that was entered, in units of its end. */
  readonly quantity: Quantity;
  readonly entryPrice: number;
  readonly exitPrice: number | null;
  /** In dollars. */
  readonly entryValue: Micro;
  readonly commission: Micro;
  /** Dividends and swaps. */
  readonly income: Micro;
  /** Realised, net of commission, with the income. */
  readonly pnl: Micro;
  readonly closedBy: TripEnd | null;
  readonly firstPlace: number;
  readonly lastPlace: number | null;
  /** Its first execution also closed the round trip before it. */
  readonly isReversal: boolean;
};

/** In the order in which they were opened; the last one may be open. The bookings begin where nothing is held. */
export function roundTrips(
  symbol: Symbol,
  bookings: readonly TripBooking[],
  instrument: Instrument,
): readonly RoundTrip[] {
  const fold = new Fold(symbol, instrument);
  for (const booking of withAdjustments(symbol, bookings)) fold.take(booking);
  return fold.end();
}

type Booking = Exclude<TripBooking, { readonly type: 'adjustment' }>;
type Booked = Extract<TripBooking, { readonly type: 'execution' }>;

class Fold {
  readonly #symbol: Symbol;
  readonly #instrument: Instrument;
  readonly #book: TradeBook;
  readonly #closed: RoundTrip[] = [];
  #portfolio: Portfolio = openPortfolio(ZERO_MICRO);
  #firstPlace = 0;
  #isReversal = false;
  /** The booking that is being taken. */
  #taking: { readonly place: number; readonly by: TripEnd } = { place: 0, by: 'order' };
  /** Of what was held before the first round trip. */
  #early = ZERO_MICRO;

  constructor(symbol: Symbol, instrument: Instrument) {
    this.#symbol = symbol;
    this.#instrument = instrument;
    this.#book = new TradeBook((trade, closed) => this.#close(trade, closed));
  }

  take(booking: Booking): void {
    switch (booking.type) {
      case 'execution':
        return this.#trade(booking.execution, booking);
      case 'income':
        return this.#credit(booking.amount);
      case 'split':
        return this.#split(booking);
      case 'expiry': {
        const held = this.#held();
        if (held === 0) return;
        const side = held > 0 ? 'sell' : 'buy';
        const units = quantity(Math.abs(held));
        const { price, at, place } = booking;
        const execution = {
          symbol: this.#symbol,
          side,
          quantity: units,
          price,
          commission: ZERO_MICRO,
          at,
        } as const;
        return this.#trade(execution, { place, by: 'expiry' });
      }
    }
  }

  end(): readonly RoundTrip[] {
    const open = this.#book.open(this.#symbol);
    if (open === undefined) return this.#closed;
    return [
      ...this.#closed,
      {
        ...this.#figures(open),
        closedAt: null,
        exitPrice: open.left === 0 ? null : open.exitWorth / fromQuantity(open.left as Quantity),
        closedBy: null,
        lastPlace: null,
      },
    ];
  }

  #held(): Quantity {
    return this.#portfolio.positions.get(this.#symbol)?.quantity ?? quantity(0);
  }

  #trade(execution: TradeExecution, taking: { readonly place: number; readonly by: TripEnd }): void {
    this.#taking = taking;
    const wasFlat = this.#held() === 0;
    const fill = { ...execution, clientOrderId: NO_ORDER };
    const { portfolio, realizedPnl } = applyFill(this.#portfolio, fill, this.#instrument, NO_MARKS);
    this.#portfolio = portfolio;
    const closed = this.#closed.length;
    if (wasFlat) this.#begin(false);
    this.#book.take(execution, realizedPnl, this.#instrument);
    if (this.#closed.length > closed && this.#held() !== 0) this.#begin(true);
    if (wasFlat && this.#early !== 0) {
      this.#book.credit(this.#symbol, this.#early);
      this.#early = ZERO_MICRO;
    }
  }

  #begin(isReversal: boolean): void {
    this.#firstPlace = this.#taking.place;
    this.#isReversal = isReversal;
  }

  /** Money that comes after the end belongs to what had earned it. */
  #credit(amount: Micro): void {
    if (this.#book.open(this.#symbol) !== undefined) return this.#book.credit(this.#symbol, amount);
    const last = this.#closed.pop();
    if (last === undefined) this.#early = add(this.#early, amount);
    else this.#closed.push({ ...last, income: add(last.income, amount), pnl: add(last.pnl, amount) });
  }

  /** What was traded since the session of the split is in new units already. */
  #split({ ratio, held: heldThen, entitled }: Extract<Booking, { readonly type: 'split' }>): void {
    const position = this.#portfolio.positions.get(this.#symbol);
    if (position === undefined) return;
    const old = position.quantity - (heldThen - entitled);
    const after = quantity(position.quantity + roundHalfEven(old * (ratio - 1)));
    const positions = new Map(this.#portfolio.positions).set(this.#symbol, { ...position, quantity: after });
    this.#portfolio = { ...this.#portfolio, positions };
    this.#book.split(this.#symbol, ratio, after);
  }

  #close(trade: Readonly<OpenTrade>, { exitAt, exitPrice }: ClosedTrade): void {
    const { place, by } = this.#taking;
    const figures = this.#figures(trade);
    this.#closed.push({ ...figures, closedAt: exitAt, exitPrice, closedBy: by, lastPlace: place });
  }

  #figures(trade: Readonly<OpenTrade>) {
    return {
      side: trade.side,
      openedAt: trade.entryAt,
      quantity: quantity(trade.entered),
      entryPrice: trade.entryWorth / fromQuantity(trade.entered as Quantity),
      entryValue: toMicro(trade.entryDollars),
      commission: micro(trade.commission),
      income: micro(trade.income),
      pnl: micro(trade.pnl),
      firstPlace: this.#firstPlace,
      isReversal: this.#isReversal,
    };
  }
}

/** Executions as they are after every adjustment: what one undoes is gone, what it books stands in its place. */
function withAdjustments(symbol: Symbol, bookings: readonly TripBooking[]): readonly Booking[] {
  const list: Booking[] = [];
  for (const booking of bookings) {
    if (booking.type !== 'adjustment') {
      list.push(booking);
      continue;
    }
    const { adjustment, undoes, books: id, at, place } = booking;
    const booked = withoutShortfall(adjustment);
    if (undoes === null) {
      if (booked.books !== null) list.push(executionOf(booked.books, { symbol, id, at, place, ratio: 1 }));
      continue;
    }
    const index = list.findIndex((one) => one.type === 'execution' && one.id === undoes);
    const undone = list[index];
    // It was booked before the first of these round trips, and with it what replaces it.
    if (undone?.type !== 'execution' || adjustment.undoes === null) continue;
    list.splice(index, 1, ...replaced(undone, adjustment.undoes, booked, { symbol, id }));
  }
  return list;
}

function replaced(
  undone: Booked,
  whole: AdjustedTrade,
  booked: ReturnType<typeof withoutShortfall>,
  { symbol, id }: { readonly symbol: Symbol; readonly id: string },
): Booking[] {
  const { execution, place } = undone;
  const signed = execution.side === 'buy' ? execution.quantity : -execution.quantity;
  /** How many current units one of its units has become. */
  const ratio = whole.units / signed;
  const kept = whole.units - (booked.undoes?.units ?? 0);
  const parts: Booking[] = [];
  if (kept !== 0) {
    const units = quantity(roundHalfEven(Math.abs(kept / ratio)));
    const commission = scale(execution.commission, kept / whole.units);
    parts.push({ ...undone, execution: { ...execution, quantity: units, commission } });
  }
  if (booked.books !== null)
    parts.push(executionOf(booked.books, { symbol, id, at: execution.at, place, ratio }));
  return parts;
}

function executionOf(
  { units, price, commission }: AdjustedTrade,
  {
    symbol,
    id,
    at,
    place,
    ratio,
  }: Pick<Booked, 'id' | 'place'> & { readonly symbol: Symbol; readonly at: Instant; readonly ratio: number },
): Booked {
  const execution = {
    symbol,
    side: units > 0 ? 'buy' : 'sell',
    quantity: quantity(roundHalfEven(Math.abs(units) / ratio)),
    price: price * ratio,
    commission,
    at,
  } as const;
  return { type: 'execution', place, id, execution, by: 'adjustment' };
}

const NO_ORDER = '' as ClientOrderId;
/** Every instrument is quoted in dollars or counts dollars, so its own price is the only rate needed. */
const NO_MARKS = new Map<Symbol, number>();
