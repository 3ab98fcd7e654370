// One instrument under a signal rule: flat, long or short, moved from row to row by its signal codes and exits.
import { looksAtEveryBar } from '../schedule.ts';
import type { StrategyDefinition } from '../definition.ts';
import { barAt, type PreparedInstrument } from '../prepare.ts';
import { ENTER_LONG, ENTER_SHORT, EXIT_LONG, EXIT_SHORT } from './signal-codes.ts';
import type { Verdict } from './target-table.ts';

/**
 * at closes: a stop or target passed at a close is left at the next opportunity. within bars: it is left at the price
 * at which the bar reaches it, from the bar after the decision on, the stop before the target.
 */
export type ExitWatch = 'at closes' | 'within bars';

export class SignalMachine {
  side: -1 | 0 | 1 = 0;
  verdict: Verdict = 'warming_up';
  decidedAtRow = -1;
  /** Where it left within the bar of the row that it moved to; NaN where it did not. */
  exitPrice = Number.NaN;
  readonly #instrument: PreparedInstrument;
  readonly #codes: Uint8Array;
  readonly #everyBar: boolean;
  readonly #within: boolean;
  readonly #hasExits: boolean;
  readonly #stop: number;
  readonly #target: number;
  readonly #maxBars: number;
  #bar = -1;
  #entryBar = -1;
  #next = -1;

  constructor(
    instrument: PreparedInstrument,
    codes: Uint8Array,
    { definition, exits }: { readonly definition: StrategyDefinition; readonly exits: ExitWatch },
  ) {
    const { stopPercent, targetPercent, maxBars } = definition.exits;
    this.#instrument = instrument;
    this.#codes = codes;
    this.#everyBar = looksAtEveryBar(definition);
    this.#within = exits === 'within bars';
    this.#hasExits = stopPercent !== undefined || targetPercent !== undefined || maxBars !== undefined;
    this.#stop = (stopPercent ?? Number.POSITIVE_INFINITY) / 100;
    this.#target = (targetPercent ?? Number.POSITIVE_INFINITY) / 100;
    this.#maxBars = maxBars ?? Number.POSITIVE_INFINITY;
  }

  /** Where it was last entered; -1 is never. */
  get entryBar(): number {
    return this.#entryBar;
  }

  /** The next row from `row` on that may change its side, where every row is scheduled. */
  nextRow(row: number): number {
    if (this.#next >= row) return this.#next;
    const { barOfRow, readyBar } = this.#instrument;
    if (barOfRow !== null || (this.#hasExits && this.side !== 0)) return row;
    const codes = this.#codes;
    const { length } = codes;
    const asked = this.side === 0 ? ENTER_LONG | ENTER_SHORT : this.side > 0 ? ASKED_LONG : ASKED_SHORT;
    let next = Math.max(row, readyBar);
    while (next < length && (codes[next]! & asked) === 0) next++;
    this.#next = next;
    return next;
  }

  /** Moves to a row; whether the side changed. */
  passRow(row: number, isScheduled: boolean): boolean {
    const bar = barAt(this.#instrument, row);
    const isNew = bar !== this.#bar;
    this.#bar = bar;
    if (bar < this.#instrument.readyBar) return false;
    if (this.verdict === 'warming_up') this.verdict = 'flat';
    const left = this.#within && isNew && this.#leaveWithin(bar, row);
    if (isNew && this.side !== 0) {
      const exit = this.#exit(bar);
      if (exit !== null) return this.#decide(0, exit, row);
    }
    // Where every bar is looked at, a bar's signal counts once, at the row where the bar is new.
    const follows = isScheduled && (isNew || !this.#everyBar) && this.#followSignals(bar, row);
    return follows || left;
  }

  /** Says that the last row was reached, whichever rows were passed over. */
  end(row: number): void {
    const isReady = row >= 0 && barAt(this.#instrument, row) >= this.#instrument.readyBar;
    if (isReady && this.verdict === 'warming_up') this.verdict = 'flat';
  }

  /**
   * Levels are set around the close at which the entry was decided; when the open is beyond one, the exit is at the
   * open.
   */
  #leaveWithin(bar: number, row: number): boolean {
    this.exitPrice = Number.NaN;
    const { side } = this;
    if (side === 0) return false;
    const { open, high, low, close } = this.#instrument.bars;
    const entry = close[this.#entryBar]!;
    const stop = entry * (1 - side * this.#stop);
    const target = entry * (1 + side * this.#target);
    const first = open[bar]!;
    const [worst, best] = side > 0 ? [low[bar]!, high[bar]!] : [high[bar]!, low[bar]!];
    const isStopped = side * (worst - stop) <= 0;
    if (isStopped) this.exitPrice = side > 0 ? Math.min(first, stop) : Math.max(first, stop);
    else if (side * (best - target) >= 0)
      this.exitPrice = side > 0 ? Math.max(first, target) : Math.min(first, target);
    else return false;
    return this.#decide(0, isStopped ? 'stop' : 'target', row);
  }

  #exit(bar: number): Verdict | null {
    if (!this.#hasExits) return null;
    if (!this.#within) {
      const { close } = this.#instrument.bars;
      const gain = this.side * (close[bar]! / close[this.#entryBar]! - 1);
      if (gain <= -this.#stop) return 'stop';
      if (gain >= this.#target) return 'target';
    }
    return bar - this.#entryBar >= this.#maxBars ? 'max_bars' : null;
  }

  #followSignals(bar: number, row: number): boolean {
    const code = this.#codes[bar]!;
    const leavesLong = (code & EXIT_LONG) !== 0;
    const leavesShort = (code & EXIT_SHORT) !== 0;
    if (this.side !== 1 && !leavesLong && (code & ENTER_LONG) !== 0) {
      this.#entryBar = bar;
      return this.#decide(1, 'entered_long', row);
    }
    if (this.side !== -1 && !leavesShort && (code & ENTER_SHORT) !== 0) {
      this.#entryBar = bar;
      return this.#decide(-1, 'entered_short', row);
    }
    if (this.side === 1 && leavesLong) return this.#decide(0, 'exited_long', row);
    if (this.side === -1 && leavesShort) return this.#decide(0, 'exited_short', row);
    return false;
  }

  #decide(side: -1 | 0 | 1, verdict: Verdict, row: number): boolean {
    this.side = side;
    this.verdict = verdict;
    this.decidedAtRow = row;
    this.#next = -1;
    return true;
  }
}

/** What may end or turn a long position, and a short one. */
const ASKED_LONG = EXIT_LONG | ENTER_SHORT;
const ASKED_SHORT = EXIT_SHORT | ENTER_LONG;
