// What backtests over the same series share: a sweep computes it once.
import { SharedColumns } from '../strategy/shared-columns.ts';
import type { BacktestInput } from './settings.ts';
import { SessionDates } from './vectorized/session-dates.ts';

export class SharedRuns {
  readonly #series: BacktestInput['series'];
  #columns: SharedColumns | null = null;
  readonly #dates = new Map<Float64Array, SessionDates>();

  constructor({ series }: Pick<BacktestInput, 'series'>) {
    this.#series = series;
  }

  get columns(): SharedColumns {
    this.#columns ??= new SharedColumns(this.#series);
    return this.#columns;
  }

  datesOf(timeline: Float64Array): SessionDates {
    let dates = this.#dates.get(timeline);
    if (dates === undefined) this.#dates.set(timeline, (dates = new SessionDates(timeline)));
    return dates;
  }
}
