// The splits and dividends of shares, by the row after whose session they take effect.
import type { CorporateAction } from '../../market/corporate-action.ts';
import { type ActionTable, UNKNOWN } from './action-table.ts';
import type { SessionDates } from './session-dates.ts';
import type { Slot } from './slot.ts';

export class ActionRows {
  readonly #dates: SessionDates;
  /** By number of the instrument where the search for its next action has come to. */
  readonly #places: Place[] = [];

  constructor(dates: SessionDates) {
    this.#dates = dates;
  }

  /** The next row from `from` on; infinite when there is none. */
  next(slot: Slot, from: number): number {
    const place = (this.#places[slot.index] ??= new Place(this.#dates.actionsOf(slot)));
    return place.row >= from && from >= place.from ? place.row : this.#find(place, slot, from);
  }

  /** Those that take effect after the session of a row, which `next` has just named: from one place to before another. */
  of(slot: Slot, row: number): { readonly table: ActionTable; readonly from: number; readonly to: number } {
    const { table, index } = this.#places[slot.index]!;
    let to = index + 1;
    while (to < table.rows.length && this.#rowAt(table, to, slot) === row) to++;
    return { table, from: index, to };
  }

  #find(place: Place, slot: Slot, from: number): number {
    const { table } = place;
    const { length } = table.rows;
    // Most are asked for one after the other; whoever comes back later looks for the day.
    let index = from < place.from ? 0 : place.index;
    const steps = index + FEW;
    for (; index < length; index++) {
      if (index === steps) index = Math.max(index, firstAfter(table.actions, this.#dates.of(from)));
      if (index === length) break;
      const row = this.#rowAt(table, index, slot);
      if (row >= from) return place.set(index, from, row);
    }
    return place.set(index, from, Number.POSITIVE_INFINITY);
  }

  #rowAt({ rows, actions }: ActionTable, i: number, slot: Slot): number {
    if (rows[i] === UNKNOWN) rows[i] = this.#dates.rowBefore(actions[i]!.exDate, slot);
    return rows[i]!;
  }
}

class Place {
  readonly table: ActionTable;
  index = 0;
  from = 0;
  row = -1;

  constructor(table: ActionTable) {
    this.table = table;
  }

  set(index: number, from: number, row: number): number {
    this.index = index;
    this.from = from;
    this.row = row;
    return row;
  }
}

/** The first of the actions that is later than a day. */
function firstAfter(actions: readonly CorporateAction[], date: string): number {
  let low = 0;
  let high = actions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (actions[middle]!.exDate <= date) low = middle + 1;
    else high = middle;
  }
  return low;
}

const FEW = 4;
