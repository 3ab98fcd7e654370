// What a deployment's books made of its money by the end of each day, in the parts of the return bridge. The value is computed
// again from bookings and prices, so that what they do not explain shows.
import type { ActualDay } from '#engine/bridge/return-bridge.ts';
import { slippage } from '#engine/bridge/bridge-ladder.ts';
import { applyFill, openPortfolio } from '#engine/portfolio/apply-fill.ts';
import { applyPositionEvent } from '#engine/portfolio/apply-position-event.ts';
import type { Portfolio } from '#engine/portfolio/portfolio.ts';
import { valuePosition } from '#engine/portfolio/value.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { add, type Micro, ZERO_MICRO } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import { type BookedLine, partsOf } from '../statement/booked-parts.ts';
import { placeSeenBy } from '../statement/cut-off.ts';
import type { BookedEvent, Instruments, StatementBooks, Valuation } from '../statement/statement-books.ts';

/** By the id of a fill the price that it is measured against; a fill that is absent slipped by nothing. */
export type ReferencePrices = ReadonlyMap<string, number>;

/** One for each valued day, oldest first. Throws RangeError on an instrument that is not known. */
export function actualDays(
  books: StatementBooks,
  instruments: Instruments,
  references: ReferencePrices,
): readonly ActualDay[] {
  const replay = new BooksReplay(books, instruments, references);
  return books.days.map((day) => replay.at(day));
}

const PART_OF: Readonly<Record<BookedLine, Exclude<keyof typeof NOTHING, 'money'> | null>> = {
  moneyIn: 'invested',
  moneyOut: 'invested',
  costs: 'commission',
  performanceFees: 'fee',
  income: 'income',
  financing: 'income',
  corrections: 'cash',
  realizedGains: null,
};

class BooksReplay {
  readonly #books: StatementBooks;
  readonly #instruments: Instruments;
  readonly #references: ReferencePrices;
  readonly #sums: Record<keyof typeof NOTHING, Micro> = { ...NOTHING };
  #portfolio: Portfolio = openPortfolio(ZERO_MICRO);
  /** How many of each have been taken. */
  #transactions = 0;
  #fills = 0;
  #events = 0;

  constructor(books: StatementBooks, instruments: Instruments, references: ReferencePrices) {
    this.#books = books;
    this.#instruments = instruments;
    this.#references = references;
  }

  at(day: StatementBooks['days'][number]): ActualDay {
    this.#bookUntil(placeSeenBy(day, this.#books.transactions), day);
    const marks = new Map([...day.held].map(([symbol, { price }]) => [symbol, price]));
    const values = [...this.#portfolio.positions.values()].map((position) => {
      const mark = marks.get(position.symbol);
      // What the valuation does not know counts as nothing: the difference shows.
      if (mark === undefined) return ZERO_MICRO;
      return valuePosition(position, mark, this.#instrument(position.symbol), marks).currentValue;
    });
    const { money, ...parts } = this.#sums;
    return { ...parts, date: day.date, value: day.equity, explained: add(money, ...values) };
  }

  #bookUntil(place: number, day: Valuation): void {
    const { transactions, fills, events } = this.#books;
    for (let next; (next = transactions[this.#transactions]) && next.place <= place; this.#transactions++) {
      this.#sums.money = add(this.#sums.money, next.cash);
      for (const [line, amount] of partsOf(next, this.#instruments)) {
        const part = PART_OF[line];
        if (part !== null) this.#sums[part] = add(this.#sums[part], amount);
      }
    }
    for (let next; (next = fills[this.#fills]) && next.place <= place; this.#fills++) {
      while ((events[this.#events]?.afterEntry ?? Infinity) < next.place) this.#happen();
      this.#fill(next);
    }
    for (let next; (next = events[this.#events]); ) {
      const moved = transactions[this.#transactions - 1]?.place ?? -1;
      if (next.afterEntry >= moved && !this.#isSeen(next, day)) break;
      this.#happen();
    }
  }

  /** A split moves no money, so only the units that were valued say whether it, and those after it, had happened. */
  #isSeen({ event: { symbol, type } }: BookedEvent, { held }: Valuation): boolean {
    const valued = held.get(symbol)?.units;
    let units: number = this.#portfolio.positions.get(symbol)?.quantity ?? 0;
    if (type !== 'split' || valued === undefined || valued === units) return false;
    for (const { event, entitled } of this.#books.events.slice(this.#events)) {
      if (event.type !== 'split' || event.symbol !== symbol) continue;
      units += roundHalfEven(entitled * (event.ratio - 1));
      if (units === valued) return true;
    }
    return false;
  }

  #fill({ id, fill }: StatementBooks['fills'][number]): void {
    const instrument = this.#instrument(fill.symbol);
    this.#portfolio = applyFill(this.#portfolio, fill, instrument, NO_MARKS).portfolio;
    const reference = this.#references.get(id);
    if (reference === undefined) return;
    this.#sums.slippage = add(this.#sums.slippage, slippage(fill, reference, instrument));
  }

  #happen(): void {
    const { event, entitled } = this.#books.events[this.#events++]!;
    const terms = { instruments: this.#instruments, marks: NO_MARKS, at: this.#books.deployedAt, entitled };
    this.#portfolio = applyPositionEvent(this.#portfolio, event, terms)?.portfolio ?? this.#portfolio;
  }

  #instrument(symbol: Symbol): Instrument {
    const instrument = this.#instruments.get(symbol);
    if (instrument === undefined) throw new RangeError(`no instrument ${symbol}`);
    return instrument;
  }
}

const NOTHING = {
  /** Cash of the ledger. */
  money: ZERO_MICRO,
  invested: ZERO_MICRO,
  slippage: ZERO_MICRO,
  commission: ZERO_MICRO,
  cash: ZERO_MICRO,
  income: ZERO_MICRO,
  fee: ZERO_MICRO,
};
/** Every instrument here is quoted in dollars or counts dollars, so its own price is the only rate needed. */
const NO_MARKS = new Map<Symbol, number>();
