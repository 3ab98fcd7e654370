// The days of a timeline, computed on demand, and the rows at which the calendar begins or ends something.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, DAY_MS, type Instant, type IsoDate, instantOfDate, utcDate } from '#units/instant.ts';
import { nextTradingDay, previousTradingDay } from '../../market/calendar.ts';
import { contractMonths } from '../../market/derivatives/contract-months.ts';
import type { CalendarId } from '../../market/instrument.ts';
import { monthlyExpiries } from '../../market/option-contract.ts';
import { tradingDay } from '../../market/trading-day.ts';
import type { Slot } from './slot.ts';

export class SessionDates {
  readonly #timeline: Float64Array;
  readonly #firstDay: number;
  /** By day since 1970-01-01. */
  readonly #dates = new Map<number, IsoDate>();
  readonly #next = new Map<CalendarId, Map<IsoDate, IsoDate>>();
  /** For instruments whose bars are the timeline's: by day since that of the first row. */
  readonly #before = new Map<CalendarId, Int32Array>();

  constructor(timeline: Float64Array) {
    this.#timeline = timeline;
    this.#firstDay = timeline.length === 0 ? 0 : tradingDay(timeline[0]!);
  }

  of(row: number): IsoDate {
    const day = this.dayOf(row);
    let date = this.#dates.get(day);
    if (date === undefined) {
      date = dateOf(day);
      this.#dates.set(day, date);
    }
    return date;
  }

  next(calendar: CalendarId, date: IsoDate): IsoDate {
    let known = this.#next.get(calendar);
    if (known === undefined) this.#next.set(calendar, (known = new Map()));
    let next = known.get(date);
    if (next === undefined) known.set(date, (next = nextTradingDay(calendar, date)));
    return next;
  }

  /** The first row of a day or after it; the number of rows when there is none. */
  firstRowFrom(date: IsoDate): number {
    return firstAfter(this.#timeline, instantOfDate(date));
  }

  /** The rows of the days on which monthly options end. */
  optionExpiryRows(): number[] {
    const rows: number[] = [];
    const { length } = this.#timeline;
    if (length === 0) return rows;
    const last = this.of(length - 1);
    for (let [day] = monthlyExpiries(this.of(0), 1); day !== undefined && day <= last; ) {
      for (let row = this.firstRowFrom(day); row < length && this.of(row) === day; row++) rows.push(row);
      [day] = monthlyExpiries(addDays(day, 1), 1);
    }
    return rows;
  }

  /** The rows after whose session the front contract of a root may change. */
  rollRows(root: Symbol, calendar: CalendarId): number[] {
    const { length } = this.#timeline;
    if (length === 0) return [];
    const rows = new Set<number>();
    const [from, last] = [this.of(0), addDays(this.of(length - 1), LONGEST_CLOSURE)];
    const quarters = 4 * (Number(last.slice(0, 4)) - Number(from.slice(0, 4)) + 1) + 1;
    for (const { rollsOn } of contractMonths(root, from, quarters)) {
      const row = this.firstRowFrom(previousTradingDay(calendar, rollsOn));
      if (row < length) rows.add(row);
    }
    return [...rows].sort((a, b) => a - b);
  }

  /** Days since 1970-01-01. */
  dayOf(row: number): number {
    return tradingDay(this.#timeline[row]!);
  }

  /**
   * The row in which the last session before a day ends for an instrument that has no bar between that and the day; -1
   * when there is none.
   */
  rowBefore(day: number, slot: Slot): number {
    if (slot.bars.closedAt !== this.#timeline) return this.#findBefore(day, slot);
    const { calendar } = slot.instrument;
    const known = this.#before.get(calendar) ?? this.#openBefore(calendar);
    const place = day - this.#firstDay;
    if (!(place >= 0 && place < known.length)) return this.#findBefore(day, slot);
    if (known[place] === UNKNOWN) known[place] = this.#findBefore(day, slot);
    return known[place]!;
  }

  #openBefore(calendar: CalendarId): Int32Array {
    const { length } = this.#timeline;
    const days = length === 0 ? 0 : this.dayOf(length - 1) - this.#firstDay + LONGEST_CLOSURE;
    const known = new Int32Array(days).fill(UNKNOWN);
    this.#before.set(calendar, known);
    return known;
  }

  #findBefore(day: number, { bars: { closedAt }, instrument }: Slot): number {
    const bar = firstAfter(closedAt, day * DAY_MS) - 1;
    if (bar < 0) return -1;
    const last = tradingDay(closedAt[bar]!);
    // The calendar is needed only when at least one day is in between.
    if (day > last + 1 && dateOf(day) > this.next(instrument.calendar, dateOf(last))) return -1;
    const row = firstAfter(this.#timeline, closedAt[bar]! - 1);
    return this.#timeline[row] === closedAt[bar] ? row : -1;
  }

  /** The first row at whose end a contract is past its last trading day. */
  settlementRow({ instrument: { calendar, expiry } }: Slot): number {
    if (expiry === null) return Number.POSITIVE_INFINITY;
    return this.firstRowFrom(previousTradingDay(calendar, addDays(expiry, 1)));
  }
}

function dateOf(day: number): IsoDate {
  return utcDate((day * DAY_MS) as Instant);
}

/** The first of the rising instants that is later than `at`. */
function firstAfter(instants: Float64Array, at: number): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (instants[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Days, more than any market is closed for. */
const LONGEST_CLOSURE = 14;
const UNKNOWN = -2;
