// Which row ends a session after which a share splits or pays next.
import { type ActionColumns, actionColumns } from '../../market/action-columns.ts';
import type { CorporateAction } from '../../market/corporate-action.ts';
import type { SessionDates } from './session-dates.ts';
import type { Slot } from './slot.ts';

export class ActionRows {
  readonly #dates: SessionDates;
  /** By number of the instrument. */
  readonly #columns: ActionColumns[] = [];
  /** By number of the instrument: the place that the last search came to, from which row on, and the row that it found. */
  #place = new Int32Array(FEW);
  #from = new Float64Array(FEW).fill(NEVER);
  #row = new Float64Array(FEW);

  constructor(dates: SessionDates) {
    this.#dates = dates;
  }

  /** The next row from `from` on; infinite when there is none. */
  next(slot: Slot, from: number): number {
    const s = slot.index;
    if (s >= this.#place.length) this.#makeRoom(s);
    const row = this.#row[s]!;
    return row >= from && from >= this.#from[s]! ? row : this.#find(slot, from);
  }

  columnsOf({ index, bars }: Slot): ActionColumns {
    return (this.#columns[index] ??= actionColumns(bars.actions ?? NONE));
  }

  /** The place in the columns of the first action of a row, which `next` has just named. */
  placeOf({ index }: Slot): number {
    return this.#place[index]!;
  }

  /** Whether the action at a place takes effect after the session of a row, as the one before it does. */
  isOf(row: number, slot: Slot, place: number): boolean {
    const { days } = this.columnsOf(slot);
    return place < days.length && this.#dates.rowBefore(days[place]!, slot) === row;
  }

  #find(slot: Slot, from: number): number {
    const s = slot.index;
    const { days } = this.columnsOf(slot);
    let place = firstAfter(days, from < this.#from[s]! ? 0 : this.#place[s]!, this.#dates.dayOf(from));
    let row = -1;
    for (; row < from && place < days.length; place++) row = this.#dates.rowBefore(days[place]!, slot);
    this.#place[s] = row < from ? place : place - 1;
    this.#from[s] = from;
    this.#row[s] = row < from ? NEVER : row;
    return this.#row[s]!;
  }

  #makeRoom(s: number): void {
    const place = new Int32Array(s * 2);
    place.set(this.#place);
    this.#place = place;
    const from = new Float64Array(s * 2).fill(NEVER);
    from.set(this.#from);
    this.#from = from;
    const row = new Float64Array(s * 2);
    row.set(this.#row);
    this.#row = row;
  }
}

/** The first place from `start` on of a day later than this one. */
function firstAfter(days: Int32Array, start: number, day: number): number {
  let low = start;
  // Most requests come in ascending order; going back costs a longer search.
  for (let step = 1; low + step <= days.length && days[low + step - 1]! <= day; step *= 2) low += step;
  let high = days.length;
  while (low < high && days[low]! <= day) {
    const middle = (low + high) >>> 1;
    if (days[middle]! <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NONE: readonly CorporateAction[] = [];
const NEVER = Number.POSITIVE_INFINITY;
/** Instruments; more are made room for. */
const FEW = 8;
