// A strategy between two closes: each close is taken once, and the target after it is bit for bit that of evaluate over
// the whole history, at a cost that does not grow with the history. What it cannot follow it refuses at the start.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import type { TargetWeight } from '../../event.ts';
import type { RankingRule, SignalRule, StrategyDefinition } from '../definition.ts';
import { scheduledRows } from '../schedule.ts';
import { type Weigher, weigherBy } from '../weigh.ts';
import type { BarPrices } from './growing-bars.ts';
import { type Decider, RankingDecider, SignalDecider } from './live-deciders.ts';
import { LiveInstrument } from './live-instrument.ts';

/** The decision of evaluate's Target, without its receipt. */
export type LiveTarget = {
  readonly asOf: Instant;
  readonly weights: readonly TargetWeight[];
  readonly rebalance: boolean;
};

export class LiveStrategy {
  readonly #definition: StrategyDefinition;
  readonly #instruments: readonly LiveInstrument[];
  #rows = 0;
  #closedAt = Number.NEGATIVE_INFINITY;
  readonly #weigher: Weigher;
  readonly #decider: Decider;
  readonly #weights: Float64Array;
  /** The last line of the target table; zeros while there is none. */
  readonly #line: Float64Array;
  #hasLine = false;
  #rebalance = false;

  private constructor(
    definition: StrategyDefinition,
    instruments: readonly LiveInstrument[],
    rule: LiveRule,
  ) {
    this.#definition = definition;
    this.#instruments = instruments;
    this.#weigher = weigherBy(definition, (s) => instruments[s]!.newestVolatility());
    this.#decider =
      rule.type === 'signals'
        ? new SignalDecider(instruments, rule, definition)
        : new RankingDecider(instruments, rule);
    this.#weights = new Float64Array(definition.universe.length);
    this.#line = new Float64Array(definition.universe.length);
  }

  /** Null for a definition with a model, options, a pairs rule or a feature of other instruments: those evaluate anew. */
  static of(definition: StrategyDefinition): LiveStrategy | null {
    const { rule } = definition;
    if (definition.model !== undefined || definition.options !== undefined || rule.type === 'pairs')
      return null;
    const instruments: LiveInstrument[] = [];
    for (const symbol of definition.universe) {
      const instrument = LiveInstrument.of(symbol, definition);
      if (instrument === null) return null;
      instruments.push(instrument);
    }
    return new LiveStrategy(definition, instruments, rule);
  }

  /** Takes the bars of one close, which is later than the one before; of instruments without a bar there is none. */
  close(closedAt: Instant, bars: ReadonlyMap<Symbol, BarPrices>): LiveTarget {
    if (closedAt <= this.#closedAt) throw new RangeError('closes are taken in their order, each once');
    for (const instrument of this.#instruments) {
      const bar = bars.get(instrument.symbol);
      if (bar !== undefined) instrument.push(bar);
    }
    const isScheduled = this.#isScheduled(closedAt);
    const daily = this.#definition.schedule.every === 'day';
    const decided = this.#decider.decide(closedAt, isScheduled);
    this.#rebalance = false;
    if (decided || (isScheduled && (this.#weigher.moves || !daily))) {
      this.#weigher.weigh(this.#decider.sides, this.#rows, this.#weights);
      if (this.#differs() || (isScheduled && !daily && this.#hasLine)) this.#write();
    }
    this.#closedAt = closedAt;
    this.#rows++;
    return { asOf: instant(closedAt), weights: this.#named(), rebalance: this.#rebalance };
  }

  #isScheduled(closedAt: number): boolean {
    const { schedule } = this.#definition;
    if (schedule.every === 'day') return true;
    if (schedule.every === 'bars') return this.#rows % schedule.count === 0;
    return this.#rows > 0 && scheduledRows(schedule, Float64Array.of(this.#closedAt, closedAt))[1] === 1;
  }

  #differs(): boolean {
    for (let s = 0; s < this.#line.length; s++) if (this.#weights[s] !== this.#line[s]) return true;
    return false;
  }

  #write(): void {
    this.#line.set(this.#weights);
    this.#hasLine = true;
    this.#rebalance = true;
  }

  #named(): TargetWeight[] {
    const weights: TargetWeight[] = [];
    for (let s = 0; s < this.#line.length; s++) {
      if (this.#line[s] !== 0)
        weights.push({ symbol: this.#definition.universe[s]!, weight: this.#line[s]! });
    }
    return weights;
  }
}

type LiveRule = SignalRule | RankingRule;
