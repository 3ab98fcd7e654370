// The rules of a strategy at its newest close: the machines and the ranking that a backtest runs, fed one row at a time.
import { TRUE } from '../condition-column.ts';
import type { Condition, RankingRule, SignalRule, StrategyDefinition } from '../definition.ts';
import { Ranking, STALE_MS } from '../ranking-targets.ts';
import { type SignalBars, type SignalColumns, SignalMachine } from '../signal-targets.ts';
import type { LiveInstrument } from './live-instrument.ts';

export type Decider = {
  readonly sides: Int8Array;
  /** Whether the weights are to be looked at anew, whatever the schedule. */
  decide(closedAt: number, isScheduled: boolean): boolean;
};

/** strategy/signal-targets.ts at one row. */
export class SignalDecider implements Decider {
  readonly sides: Int8Array;
  readonly #instruments: readonly LiveInstrument[];
  readonly #signals: readonly LiveSignals[];
  readonly #machines: readonly SignalMachine[];

  constructor(instruments: readonly LiveInstrument[], rule: SignalRule, definition: StrategyDefinition) {
    this.sides = new Int8Array(instruments.length);
    this.#instruments = instruments;
    this.#signals = instruments.map((instrument) => new LiveSignals(instrument, rule));
    this.#machines = instruments.map(
      (instrument, s) => new SignalMachine(asSeen(instrument), this.#signals[s]!, definition),
    );
  }

  decide(_closedAt: number, isScheduled: boolean): boolean {
    let changed = false;
    for (let s = 0; s < this.#machines.length; s++) {
      this.#signals[s]!.follow();
      const machine = this.#machines[s]!;
      // The machine counts in bars of its own instrument: between two of them it stands where it stood.
      if (!machine.passRow(this.#instruments[s]!.bars.length - 1, isScheduled)) continue;
      this.sides[s] = machine.side;
      changed = true;
    }
    return changed;
  }
}

/** strategy/ranking-targets.ts at one row. */
export class RankingDecider implements Decider {
  readonly sides: Int8Array;
  readonly #instruments: readonly LiveInstrument[];
  readonly #rule: RankingRule;
  readonly #ranking: Ranking;

  constructor(instruments: readonly LiveInstrument[], rule: RankingRule) {
    this.#instruments = instruments;
    this.#rule = rule;
    this.#ranking = new Ranking(instruments.length, rule);
    this.sides = this.#ranking.sides;
  }

  decide(closedAt: number, isScheduled: boolean): boolean {
    if (!isScheduled) return false;
    for (let s = 0; s < this.#instruments.length; s++) {
      this.#ranking.scores[s] = this.#scoreOf(this.#instruments[s]!, closedAt);
    }
    this.#ranking.rank(0);
    return true;
  }

  #scoreOf(instrument: LiveInstrument, closedAt: number): number {
    const { where, by } = this.#rule;
    const bar = instrument.bars.length - 1;
    if (bar < instrument.definedBar) return Number.NaN;
    if (closedAt - instrument.bars.columns.closedAt.values[bar]! > STALE_MS) return Number.NaN;
    if (where !== undefined && instrument.says(where, bar) !== TRUE) return Number.NaN;
    return instrument.valueAt(by, bar);
  }
}

/** What a machine reads of an instrument, as it is at the time of reading. */
function asSeen(instrument: LiveInstrument): SignalBars {
  return {
    barOfRow: null,
    get readyBar() {
      return instrument.readyBar;
    },
    bars: {
      get close() {
        return instrument.bars.columns.close.values;
      },
    },
  };
}

/** The rule's conditions at every bar so far. */
class LiveSignals implements SignalColumns {
  enterLong: Uint8Array | null = null;
  exitLong: Uint8Array | null = null;
  enterShort: Uint8Array | null = null;
  exitShort: Uint8Array | null = null;
  readonly #instrument: LiveInstrument;
  readonly #rule: SignalRule;
  #bars = 0;

  constructor(instrument: LiveInstrument, rule: SignalRule) {
    this.#instrument = instrument;
    this.#rule = rule;
  }

  /** Up to the newest bar. */
  follow(): void {
    for (; this.#bars < this.#instrument.bars.length; this.#bars++) {
      const { enterLong, exitLong, enterShort, exitShort } = this.#rule;
      this.enterLong = this.#with(this.enterLong, enterLong);
      this.exitLong = this.#with(this.exitLong, exitLong);
      this.enterShort = this.#with(this.enterShort, enterShort);
      this.exitShort = this.#with(this.exitShort, exitShort);
    }
  }

  #with(column: Uint8Array | null, condition: Condition | undefined): Uint8Array | null {
    if (condition === undefined) return null;
    let grown = column ?? new Uint8Array(CAPACITY);
    if (this.#bars === grown.length) {
      grown = new Uint8Array(grown.length * 2);
      grown.set(column!);
    }
    grown[this.#bars] = this.#instrument.says(condition, this.#bars);
    return grown;
  }
}

const CAPACITY = 256;
