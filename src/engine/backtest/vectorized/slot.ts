// One instrument of a vectorized backtest: its columns by row of the timeline and its terms as plain numbers.
import type { Symbol } from '#units/identifiers.ts';
import type { BarSeries } from '../../market/bar-series.ts';
import type { KindCosts } from '../../market/kinds/kind-rules.ts';
import type { Instrument } from '../../market/instrument.ts';
import { KIND_RULES } from '../../market/kinds/rules-of.ts';
import { type OptionContract, parseOption } from '../../market/option-contract.ts';
import { endsDay } from '../../market/trading-day.ts';

export type SlotColumns = {
  readonly bars: BarSeries;
  /** For each row from `base` on the index of the newest closed bar, -1 before the first; null where both are the same. */
  readonly barOfRow: Int32Array | null;
  /** The first row that these columns know of. */
  readonly base: number;
};

export class Slot {
  readonly index: number;
  readonly symbol: Symbol;
  readonly instrument: Instrument;
  readonly bars: BarSeries;
  readonly step: number;
  readonly multiplier: number;
  /** Whether the whole notional changes hands at the fill. */
  readonly isCash: boolean;
  readonly isDollar: boolean;
  readonly costs: KindCosts;
  readonly maintenance: number;
  readonly option: OptionContract | null;
  /** Whether the end of a session may do anything to it. */
  readonly hasEndOfDay: boolean;
  readonly #barOfRow: Int32Array | null;
  readonly #base: number;
  readonly #timeline: Float64Array;
  /** The newest close that is a price, by row less `base`; NaN before the first. */
  #marks: Float64Array;
  #isClean: boolean;

  constructor(
    index: number,
    {
      instrument,
      columns,
      costs,
      timeline,
    }: {
      readonly instrument: Instrument;
      readonly columns: SlotColumns;
      readonly costs: KindCosts;
      readonly timeline: Float64Array;
    },
  ) {
    const { bars, barOfRow, base } = columns;
    this.index = index;
    this.symbol = instrument.symbol;
    this.instrument = instrument;
    this.bars = bars;
    this.step = instrument.quantityStep;
    this.multiplier = instrument.multiplier;
    this.isCash = instrument.settlement === 'cash';
    this.isDollar = instrument.currency === 'USD';
    this.costs = costs;
    this.maintenance = KIND_RULES[instrument.kind].maintenanceMargin;
    this.option = parseOption(instrument.symbol);
    const { overnight } = KIND_RULES[instrument.kind];
    this.hasEndOfDay =
      overnight !== null && (instrument.kind !== 'equity' || (bars.actions?.length ?? 0) > 0);
    this.#barOfRow = barOfRow;
    this.#base = base;
    this.#timeline = timeline;
    this.#isClean = barOfRow !== null;
    this.#marks = barOfRow === null ? bars.close : newestPrices(bars.close, barOfRow);
  }

  /** The newest closed bar at a row, -1 before its first. */
  barAt(row: number): number {
    return this.#barOfRow === null ? row : this.#barOfRow[row - this.#base]!;
  }

  /** Whether one of its bars closes in a row. */
  tradesIn(row: number): boolean {
    if (this.#barOfRow === null) return true;
    const bar = this.#barOfRow[row - this.#base]!;
    return bar >= 0 && this.bars.closedAt[bar] === this.#timeline[row];
  }

  /** The newest price at the close of a row; NaN before the first. */
  mark(row: number): number {
    const mark = this.#marks[row - this.#base]!;
    return mark > 0 && mark < Number.POSITIVE_INFINITY ? mark : this.#cleanMark(row);
  }

  /** Whether the newest close at a row is a price. */
  isPricedAt(row: number): boolean {
    const close = this.bars.close[this.barAt(row)]!;
    return close > 0 && close < Number.POSITIVE_INFINITY;
  }

  /** The marks of the rows from `base` on; a bad price in them is replaced where `mark` or `cleanMarks` finds it. */
  get marks(): Float64Array {
    return this.#marks;
  }

  get base(): number {
    return this.#base;
  }

  /** Replaces invalid prices by the newest price before them; returns whether there were any. */
  cleanMarks(): boolean {
    if (this.#isClean) return false;
    this.#isClean = true;
    this.#marks = newestPrices(this.bars.close, null);
    return true;
  }

  /** The next row from `row` on in which its last bar of a day closes; infinite when there is none. */
  nextDayEnd(row: number): number {
    const { closedAt, length } = this.bars;
    const timeline = this.#timeline;
    if (row >= timeline.length) return Number.POSITIVE_INFINITY;
    let bar = Math.max(0, this.barAt(row));
    if (bar < length && closedAt[bar]! < timeline[row]!) bar++;
    while (bar < length && !endsDay(closedAt, bar)) bar++;
    if (bar >= length) return Number.POSITIVE_INFINITY;
    if (this.#barOfRow === null) return bar;
    let at = row;
    while (at < timeline.length && timeline[at]! < closedAt[bar]!) at++;
    if (at === timeline.length) return Number.POSITIVE_INFINITY;
    return timeline[at] === closedAt[bar] ? at : this.nextDayEnd(at);
  }

  #cleanMark(row: number): number {
    this.cleanMarks();
    return this.#marks[row - this.#base]!;
  }
}

function newestPrices(close: Float64Array, barOfRow: Int32Array | null): Float64Array {
  const rows = barOfRow === null ? close.length : barOfRow.length;
  const marks = new Float64Array(rows);
  let newest = Number.NaN;
  let seen = -1;
  for (let row = 0; row < rows; row++) {
    const bar = barOfRow === null ? row : barOfRow[row]!;
    for (; seen < bar; ) {
      const price = close[++seen]!;
      // With several bars since the last row only the newest counts.
      if (seen === bar && price > 0 && price < Number.POSITIVE_INFINITY) newest = price;
    }
    marks[row] = newest;
  }
  return marks;
}
