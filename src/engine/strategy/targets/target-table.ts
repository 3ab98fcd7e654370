// All targets of a strategy over a timeline, as columns: one line of weights for each row at which it trades.
import type { Symbol } from '#units/identifiers.ts';
import type { Rule } from '../definition.ts';

export type TargetTable = {
  readonly symbols: readonly Symbol[];
  /** The instants (UTC ms) at which any instrument of the universe closes a bar, rising. */
  readonly timeline: Float64Array;
  /** How many lines there are. */
  readonly count: number;
  /** The row of the timeline that each line was decided at, rising. */
  readonly rows: Int32Array;
  /** Line k has symbols.length weights from k × symbols.length on. */
  readonly weights: Float64Array;
  /**
   * Where exits are watched within bars: for each line and symbol the price at which it left within the bar of that row,
   * NaN where it did not.
   */
  readonly exitPrices?: Float64Array;
  /** What was decided last for each symbol, and at which row; -1 is never. */
  readonly verdicts: readonly Verdict[];
  readonly decidedAtRow: Int32Array;
  /** Of signal rules: the bar at which each was last entered; -1 is never. */
  readonly entryBars?: Int32Array;
  /** Of pairs rules: the spread of a pair at a row, by its place among the pairs; NaN before it is defined. */
  readonly spreadAt?: (pair: number, row: number) => number;
  /** Of a definition with a regime, as its condition was found last. */
  readonly regime?: RegimeReading;
  /** Of a definition with a band, of the last target that it was asked about. */
  readonly band?: BandReading;
};

export type RegimeReading = {
  /** Where it was looked at last; -1 is never. */
  readonly row: number;
  /** Null where the condition is not known. */
  readonly holds: boolean | null;
  /** What counts since then; null holds nothing. */
  readonly active: { readonly rule: Rule; readonly table: TargetTable } | null;
};

export type BandReading = {
  readonly row: number;
  /** By instrument: the target, and what prices had made of the one before. */
  readonly wanted: Float64Array;
  readonly held: Float64Array;
  /** Whether any instrument was outside of the band. */
  readonly traded: boolean;
};

/** Why an instrument is held as it is. */
export type Verdict =
  | 'warming_up'
  | 'flat'
  | 'entered_long'
  | 'entered_short'
  | 'exited_long'
  | 'exited_short'
  | 'stop'
  | 'target'
  | 'max_bars'
  | 'ranked_top'
  | 'ranked_bottom'
  | 'not_ranked'
  | 'not_eligible'
  | 'stands_aside'
  | 'spread_low'
  | 'spread_high'
  | 'spread_usual'
  | 'spread_stopped'
  | 'proposed'
  | 'unanswered_hold'
  | 'unanswered_flat';

/** Grows a target table line by line. */
export class TargetWriter {
  readonly #width: number;
  #rows = new Int32Array(LINES);
  #weights: Float64Array;
  count = 0;

  constructor(width: number) {
    this.#width = width;
    this.#weights = new Float64Array(LINES * width);
  }

  push(row: number, weights: Float64Array): void {
    if (this.count === this.#rows.length) this.#grow();
    this.#rows[this.count] = row;
    if (this.#width === 1) this.#weights[this.count] = weights[0]!;
    else this.#weights.set(weights, this.count * this.#width);
    this.count++;
  }

  /** Whether these weights differ from the last line; before the first line everything is zero. */
  differs(weights: Float64Array): boolean {
    const from = (this.count - 1) * this.#width;
    for (let s = 0; s < this.#width; s++) {
      if (weights[s] !== (this.count === 0 ? 0 : this.#weights[from + s])) return true;
    }
    return false;
  }

  rows(): Int32Array {
    return this.#rows.subarray(0, this.count);
  }

  weights(): Float64Array {
    return this.#weights.subarray(0, this.count * this.#width);
  }

  #grow(): void {
    const rows = new Int32Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
    const weights = new Float64Array(this.#weights.length * 2);
    weights.set(this.#weights);
    this.#weights = weights;
  }
}

/** At first. */
const LINES = 64;
