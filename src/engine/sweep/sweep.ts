// Runs the variants of a planned sweep over one instrument and keeps of each what ranks it: fills, round trips, final
// equity and drawdown. The same bits as a research run of each variant on its own.
import { micro } from '#units/money.ts';
import type { BarSeries } from '../market/bar-series.ts';
import type { Instrument } from '../market/instrument.ts';
import type { Execution } from '../research/execution.ts';
import { SignalEvents } from '../research/cross-events.ts';
import { requireResearchable } from '../research/researchable.ts';
import { runPrepared } from '../research/run-by-columns.ts';
import { CLOSES, OPENS_LONG, OPENS_SHORT, wishCode } from '../research/signal-codes.ts';
import { type SeriesBySymbol, seriesOf } from '../strategy/feature-column.ts';
import { SharedColumns } from './shared-columns.ts';
import { findEvents } from './signal-events.ts';
import { SweepBook } from './sweep-book.ts';
import type { SweepFeature, SweepVariant } from './sweep-planner.ts';

export type SweepInput = {
  /** Those of the plan that the variants come from. */
  readonly features: readonly SweepFeature[];
  readonly series: SeriesBySymbol;
  readonly instrument: Instrument;
  readonly execution: Execution;
};

/** One value for each variant. */
export type SweepColumns = {
  readonly fills: Int32Array;
  readonly trades: Int32Array;
  /** Micro. */
  readonly finalEquity: Float64Array;
  /** A fraction, positive: the deepest fall of equity from its peak. */
  readonly maxDrawdown: Float64Array;
};

export class Sweep {
  readonly #input: SweepInput;
  readonly #bars: BarSeries;
  readonly #columns: SharedColumns;
  readonly #events: SignalEvents;
  readonly #book: SweepBook;

  /** Throws RangeError when the variants cannot be run on these bars. */
  constructor(input: SweepInput) {
    this.#input = input;
    this.#bars = seriesOf(input.series, input.instrument.symbol);
    this.#columns = new SharedColumns(input.features, this.#bars, input.series);
    this.#events = new SignalEvents();
    this.#book = new SweepBook(input, this.#bars);
  }

  /** Of each variant, in their order. */
  run(variants: readonly SweepVariant[]): SweepColumns {
    const result = emptyColumns(variants.length);
    for (let i = 0; i < variants.length; i++) this.runInto(result, i, variants[i]!);
    return result;
  }

  /** Writes one variant's values at the index `at`. */
  runInto(result: SweepColumns, at: number, variant: SweepVariant): void {
    const { series, instrument, execution } = this.#input;
    const { definition, rule } = variant;
    const input = { definition, series, instrument, execution };
    requireResearchable(input);
    const { stopPercent, targetPercent } = definition.exits;
    const hasExits = stopPercent !== undefined || targetPercent !== undefined;
    if (!hasExits) {
      const readyBar = this.#columns.readyBar(variant);
      findEvents(this.#events, variant, { columns: this.#columns, readyBar });
      this.#follow(execution.repeatedSignal === 'reopens');
    }
    if (hasExits || !this.#book.isFine) {
      const run = runPrepared(input, this.#columns.prepared(variant), rule);
      result.fills[at] = run.fills.count;
      result.trades[at] = run.trades.count;
      result.finalEquity[at] = run.finalEquity;
      result.maxDrawdown[at] = run.maxDrawdown;
      return;
    }
    result.fills[at] = this.#book.fills;
    result.trades[at] = this.#book.trades;
    result.finalEquity[at] = micro(this.#book.finalEquity());
    result.maxDrawdown[at] = this.#book.deepest;
  }

  /** From event to event: what is held stands still in between. */
  #follow(repeats: boolean): void {
    const book = this.#book;
    const { bars, codes, count } = this.#events;
    const { length } = this.#bars;
    book.reset();
    let marked = 0;
    for (let e = 0; e < count; e++) {
      const code = codes[e]!;
      if (book.side === 0 ? (code & ENTRIES) === 0 : book.ignores(code, repeats)) continue;
      const wish = wishCode(code, book.side, repeats);
      if (wish === 0) continue;
      const next = bars[e]! + 1;
      book.mark(marked, next);
      marked = next;
      if (next < length) {
        const opens = (wish & OPENS_LONG) !== 0 ? 1 : (wish & OPENS_SHORT) !== 0 ? -1 : 0;
        book.trade(next, (wish & CLOSES) !== 0, opens);
      }
    }
    book.mark(marked, length);
  }
}

export function emptyColumns(count: number): SweepColumns {
  return {
    fills: new Int32Array(count),
    trades: new Int32Array(count),
    finalEquity: new Float64Array(count),
    maxDrawdown: new Float64Array(count),
  };
}

/** Enter long or enter short. */
const ENTRIES = 1 | 4;
