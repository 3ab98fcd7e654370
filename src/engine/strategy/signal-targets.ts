// Signal rules: a small state machine for each instrument (flat, long, short) driven by condition columns, and the
// weights whenever a side changes.
import { conditionColumn, TRUE } from './condition-column.ts';
import type { SignalRule, StrategyDefinition } from './definition.ts';
import { barAt, type Prepared, type PreparedInstrument } from './prepare.ts';
import { type TargetTable, TargetWriter, type Verdict } from './target-table.ts';
import { weigherOf } from './weigh.ts';

export function signalTargets(prepared: Prepared, rule: SignalRule): TargetTable {
  const { definition, timeline, scheduled, instruments } = prepared;
  const machines = instruments.map(
    (instrument) => new SignalMachine(instrument, signalColumns(instrument, rule), definition),
  );
  const weigher = weigherOf(prepared);
  const writer = new TargetWriter(instruments.length);
  const sides = new Int8Array(instruments.length);
  const weights = new Float64Array(instruments.length);
  const daily = definition.schedule.every === 'day';
  for (let t = 0; t < timeline.length; t++) {
    const isScheduled = scheduled[t] === 1;
    let changed = false;
    for (let s = 0; s < machines.length; s++) {
      if (!machines[s]!.passRow(t, isScheduled)) continue;
      sides[s] = machines[s]!.side;
      changed = true;
    }
    if (!changed && !(isScheduled && (weigher.moves || !daily))) continue;
    weigher.weigh(sides, t, weights);
    if (writer.differs(weights) || (isScheduled && !daily && writer.count > 0)) writer.push(t, weights);
  }
  return {
    symbols: definition.universe,
    timeline,
    count: writer.count,
    rows: writer.rows(),
    weights: writer.weights(),
    verdicts: machines.map((machine) => machine.verdict),
    decidedAtRow: Int32Array.from(machines, (machine) => machine.decidedAtRow),
  };
}

/** The signal columns of one instrument over its own bars; null where the rule has no such condition. */
export type SignalColumns = {
  readonly enterLong: ArrayLike<number> | null;
  readonly exitLong: ArrayLike<number> | null;
  readonly enterShort: ArrayLike<number> | null;
  readonly exitShort: ArrayLike<number> | null;
};

function signalColumns({ bars, features }: PreparedInstrument, rule: SignalRule): SignalColumns {
  const column = (name: keyof SignalColumns) =>
    rule[name] === undefined ? null : conditionColumn(rule[name], { bars, features });
  return {
    enterLong: column('enterLong'),
    exitLong: column('exitLong'),
    enterShort: column('enterShort'),
    exitShort: column('exitShort'),
  };
}

/** What a machine reads of its instrument; it may grow between two rows. */
export type SignalBars = Pick<PreparedInstrument, 'barOfRow' | 'readyBar'> & {
  readonly bars: Pick<PreparedInstrument['bars'], 'close'>;
};

export class SignalMachine {
  side: -1 | 0 | 1 = 0;
  verdict: Verdict = 'warming_up';
  decidedAtRow = -1;
  readonly #instrument: SignalBars;
  readonly #columns: SignalColumns;
  readonly #daily: boolean;
  readonly #stop: number;
  readonly #target: number;
  readonly #maxBars: number;
  #bar = -1;
  #entryBar = -1;

  constructor(instrument: SignalBars, columns: SignalColumns, definition: StrategyDefinition) {
    this.#instrument = instrument;
    this.#columns = columns;
    this.#daily = definition.schedule.every === 'day';
    this.#stop = (definition.exits.stopPercent ?? Number.POSITIVE_INFINITY) / 100;
    this.#target = (definition.exits.targetPercent ?? Number.POSITIVE_INFINITY) / 100;
    this.#maxBars = definition.exits.maxBars ?? Number.POSITIVE_INFINITY;
  }

  /** Moves to a row; whether the side changed. */
  passRow(row: number, isScheduled: boolean): boolean {
    const bar = barAt(this.#instrument, row);
    const isNew = bar !== this.#bar;
    this.#bar = bar;
    if (bar < this.#instrument.readyBar) return false;
    if (this.verdict === 'warming_up') this.verdict = 'flat';
    if (isNew && this.side !== 0) {
      const exit = this.#exit(bar);
      if (exit !== null) return this.#decide(0, exit, row);
    }
    // On a daily schedule a bar's signal counts once, at the row where the bar is new.
    return isScheduled && (isNew || !this.#daily) ? this.#followSignals(bar, row) : false;
  }

  #exit(bar: number): Verdict | null {
    const { close } = this.#instrument.bars;
    const gain = this.side * (close[bar]! / close[this.#entryBar]! - 1);
    if (gain <= -this.#stop) return 'stop';
    if (gain >= this.#target) return 'target';
    return bar - this.#entryBar >= this.#maxBars ? 'max_bars' : null;
  }

  #followSignals(bar: number, row: number): boolean {
    const { enterLong, exitLong, enterShort, exitShort } = this.#columns;
    const leavesLong = exitLong !== null && exitLong[bar] === TRUE;
    const leavesShort = exitShort !== null && exitShort[bar] === TRUE;
    if (this.side !== 1 && !leavesLong && enterLong !== null && enterLong[bar] === TRUE) {
      this.#entryBar = bar;
      return this.#decide(1, 'entered_long', row);
    }
    if (this.side !== -1 && !leavesShort && enterShort !== null && enterShort[bar] === TRUE) {
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
    return true;
  }
}
