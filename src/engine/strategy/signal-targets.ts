// Signal rules: a small state machine for each instrument (flat, long, short) driven by condition columns, and the
// weights whenever a side changes.
import { conditionColumn, TRUE } from './condition-column.ts';
import type { SignalRule, StrategyDefinition } from './definition.ts';
import { barAt, type Prepared, type PreparedInstrument } from './prepare.ts';
import { type TargetTable, TargetWriter, type Verdict } from './target-table.ts';
import { weigherOf } from './weigh.ts';

/**
 * at closes: a stop or target passed at a close is left at the next opportunity. within bars: it is left at the price
 * at which the bar reaches it, from the bar after the decision on, the stop before the target.
 */
export type ExitWatch = 'at closes' | 'within bars';

export function signalTargets(
  prepared: Prepared,
  rule: SignalRule,
  exits: ExitWatch = 'at closes',
): TargetTable {
  const { definition, timeline, scheduled, instruments } = prepared;
  const machines = instruments.map(
    (instrument) => new SignalMachine(instrument, signalColumns(instrument, rule), { definition, exits }),
  );
  const exitPrices: number[] | null = exits === 'within bars' ? [] : null;
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
    const leaves = exitPrices !== null && machines.some(({ exitPrice }) => !Number.isNaN(exitPrice));
    if (!writer.differs(weights) && !leaves && !(isScheduled && !daily && writer.count > 0)) continue;
    writer.push(t, weights);
    exitPrices?.push(...machines.map(({ exitPrice }) => exitPrice));
  }
  return {
    symbols: definition.universe,
    timeline,
    count: writer.count,
    rows: writer.rows(),
    weights: writer.weights(),
    ...(exitPrices === null ? {} : { exitPrices: Float64Array.from(exitPrices) }),
    verdicts: machines.map((machine) => machine.verdict),
    decidedAtRow: Int32Array.from(machines, (machine) => machine.decidedAtRow),
  };
}

/** The signal columns of one instrument over its own bars; null where the rule has no such condition. */
type SignalColumns = { readonly [Name in keyof Omit<SignalRule, 'type'>]-?: Uint8Array | null };

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

class SignalMachine {
  side: -1 | 0 | 1 = 0;
  verdict: Verdict = 'warming_up';
  decidedAtRow = -1;
  /** Where it left within the bar of the row that it moved to; NaN where it did not. */
  exitPrice = Number.NaN;
  readonly #instrument: PreparedInstrument;
  readonly #columns: SignalColumns;
  readonly #daily: boolean;
  readonly #within: boolean;
  readonly #stop: number;
  readonly #target: number;
  readonly #maxBars: number;
  #bar = -1;
  #entryBar = -1;

  constructor(
    instrument: PreparedInstrument,
    columns: SignalColumns,
    { definition, exits }: { readonly definition: StrategyDefinition; readonly exits: ExitWatch },
  ) {
    this.#instrument = instrument;
    this.#columns = columns;
    this.#daily = definition.schedule.every === 'day';
    this.#within = exits === 'within bars';
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
    const left = this.#within && isNew && this.#leaveWithin(bar, row);
    if (isNew && this.side !== 0) {
      const exit = this.#exit(bar);
      if (exit !== null) return this.#decide(0, exit, row);
    }
    // On a daily schedule a bar's signal counts once, at the row where the bar is new.
    const follows = isScheduled && (isNew || !this.#daily) && this.#followSignals(bar, row);
    return follows || left;
  }

  /** Levels lie around the close at which the entry was decided; beyond one at the open, it leaves at the open. */
  #leaveWithin(bar: number, row: number): boolean {
    this.exitPrice = Number.NaN;
    const { side } = this;
    if (side === 0) return false;
    const { open, high, low, close } = this.#instrument.bars;
    const entry = close[this.#entryBar]!;
    const stop = entry * (1 - side * this.#stop);
    const target = entry * (1 + side * this.#target);
    const [first, worst, best] = [
      open[bar]!,
      side > 0 ? low[bar]! : high[bar]!,
      side > 0 ? high[bar]! : low[bar]!,
    ];
    if (side * (worst - stop) <= 0) this.exitPrice = side > 0 ? Math.min(first, stop) : Math.max(first, stop);
    else if (side * (best - target) >= 0)
      this.exitPrice = side > 0 ? Math.max(first, target) : Math.min(first, target);
    else return false;
    return this.#decide(0, side * (worst - stop) <= 0 ? 'stop' : 'target', row);
  }

  #exit(bar: number): Verdict | null {
    const { close } = this.#instrument.bars;
    if (!this.#within) {
      const gain = this.side * (close[bar]! / close[this.#entryBar]! - 1);
      if (gain <= -this.#stop) return 'stop';
      if (gain >= this.#target) return 'target';
    }
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
