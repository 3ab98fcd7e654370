// A strategy's published history with a person's own amount and limits. It is the backtest that was published, run
// again with other settings by the same code: with the published settings it gives the published record bit for bit.
import { fromMicro, type Micro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { instant, type IsoDate } from '#units/instant.ts';
import { compileBacktest, rowsOf } from '../backtest/backtest.ts';
import { atDayEnds } from '../backtest/day-ends.ts';
import type { BacktestResult } from '../backtest/result.ts';
import { SharedRuns } from '../backtest/shared-runs.ts';
import type { BacktestSettings } from '../backtest/settings.ts';
import { type SummaryRows, summaryRows } from '../backtest/summary-rows.ts';
import { vectorizedBacktest } from '../backtest/vectorized/vectorized-backtest.ts';
import { knownThrough } from '../decider/decider-rule.ts';
import type { EvidenceRunInput } from '../evidence/evidence-run.ts';
import type { Instrument } from '../market/instrument.ts';
import { monthEnds, takeFee } from '../performance/net-of-fee.ts';
import { deepestDrawdown } from '../performance/risk/drawdown.ts';
import { returnsOf } from '../performance/returns.ts';
import type { Limits } from '../risk/limits.ts';
import type { CompiledDefinition } from '../strategy/compile-definition.ts';
import { type Alternatives, alternativesOf } from './alternatives.ts';
import { inFractions } from './in-fractions.ts';
import { type LimitEffects, limitEffects, type LimitFiring, limitFirings } from './limit-effects.ts';
import { worstYear, type WorstYear } from './worst-year.ts';

export type RehearsalTerms = {
  readonly amount: Micro;
  readonly limits: Limits;
  /** Whether the broker takes fractions of shares; what else is traded keeps its own steps. */
  readonly takesFractions: boolean;
  /** Of profit above the high-water mark; 0 where nobody earns one. */
  readonly feePercent: number;
};

/** Money in dollars, after the fee; one value for each date. */
export type Rehearsal = {
  readonly dates: readonly IsoDate[];
  readonly value: Float64Array;
  /** The published record begun with the same amount. */
  readonly published: Float64Array;
  /** The same amount in the benchmark, dividends reinvested; null before its first bar and without one. */
  readonly benchmark: readonly (number | null)[];
  readonly feePaid: number;
  readonly worstYear: WorstYear | null;
  /** The deepest fall from a peak, with its days; null when the value only rose. */
  readonly deepestFall: DeepestFall | null;
  readonly firings: readonly LimitFiring[];
  readonly effects: LimitEffects;
  readonly alternatives: Alternatives | null;
  /** How many orders were filled: none means that these terms make the strategy impossible. */
  readonly fills: number;
  /** Whether any share is traded in whole units, if the terms do not say otherwise. */
  readonly tradesWholeShares: boolean;
};

/** Daily returns before the fee: one for each date after the first. */
export type RehearsedDays = {
  readonly dates: readonly IsoDate[];
  readonly returns: Float64Array;
};

/** `depth` is a fraction, negative. */
export type DeepestFall = { readonly depth: number; readonly peak: IsoDate; readonly trough: IsoDate };

/** A run at its day ends; money after the fee, in dollars. */
type Played = {
  readonly result: BacktestResult;
  readonly net: Float64Array;
  readonly paid: number;
  /** At the end. */
  readonly value: number;
};

/** Of a model that decides, only what it cannot have known is rehearsed: its record before that promises nothing. */
function afterKnown(input: EvidenceRunInput): EvidenceRunInput {
  const known = knownThrough(input.definition);
  if (known === Number.NEGATIVE_INFINITY) return input;
  const from = instant(Math.max(known, input.settings.from ?? known));
  return { ...input, settings: { ...input.settings, from } };
}

/** One strategy, rehearsed as often as asked: rules and prices are read once. */
export class Rehearser {
  readonly #input: EvidenceRunInput;
  readonly #shared: SharedRuns;
  readonly #compiled: CompiledDefinition;
  readonly #rows: SummaryRows;
  readonly #ends: Uint8Array;
  readonly #published: BacktestResult;

  /** Throws RangeError as the backtest does, and for fewer than two days. */
  constructor(input: EvidenceRunInput) {
    const { definition, series } = input;
    this.#input = afterKnown(input);
    const { settings } = this.#input;
    this.#shared = new SharedRuns(input);
    this.#compiled = compileBacktest(input, this.#shared);
    this.#published = this.#run(settings, input.instruments);
    const { timeline } = this.#published;
    if (timeline.length < 2) throw new RangeError('a rehearsal needs at least two days of prices');
    this.#rows = summaryRows(timeline, series.get(definition.benchmark) ?? null);
    this.#ends = monthEnds(this.#rows.dates);
  }

  /** The published run itself, at day ends. */
  get published(): BacktestResult {
    return this.#published;
  }

  rehearse(terms: RehearsalTerms): Rehearsal {
    const { dates } = this.#rows;
    const { limits, feePercent } = terms;
    const mine = this.#play(terms);
    const { effects, withoutStop } = limitEffects(limits, mine.value, (other) =>
      this.#play({ ...terms, limits: other }),
    );
    const amount = fromMicro(terms.amount);
    const { equity } = this.#published;
    const published = takeFee(this.#ends, equity, feePercent).net;
    return {
      dates,
      value: mine.net,
      published: published.map((value) => (value * amount) / equity[0]!),
      benchmark: this.#benchmark(amount),
      feePaid: mine.paid,
      worstYear: worstYear(dates, mine.net),
      deepestFall: fallOf(dates, mine.net),
      firings: limitFirings(mine.result, withoutStop?.result.trades ?? []),
      effects,
      alternatives: alternativesOf({
        returns: returnsOf(mine.result.equity),
        ends: this.#ends,
        amount,
        feePercent,
      }),
      fills: mine.result.counts.fills,
      tradesWholeShares: this.#input.definition.universe.some((symbol) =>
        isWhole(this.#input.instruments.get(symbol)),
      ),
    };
  }

  /** The days alone, which need no second run. */
  rehearseDays(terms: Omit<RehearsalTerms, 'feePercent'>): RehearsedDays {
    const { result } = this.#play({ ...terms, feePercent: 0 });
    return { dates: this.#rows.dates, returns: returnsOf(result.equity) };
  }

  #play({ amount, limits, takesFractions, feePercent }: RehearsalTerms): Played {
    const { settings, instruments } = this.#input;
    const result = this.#run(
      { ...settings, initialCash: amount, limits },
      takesFractions ? inFractions(instruments) : instruments,
    );
    const { net, paid } = takeFee(this.#ends, result.equity.map(inDollars), feePercent);
    return { result, net, paid, value: net.at(-1)! };
  }

  #run(settings: BacktestSettings, instruments: EvidenceRunInput['instruments']): BacktestResult {
    const input = { ...this.#input, settings, instruments };
    const rows = rowsOf(input, this.#compiled);
    return atDayEnds(
      input.definition,
      vectorizedBacktest(input, this.#compiled, rows, { shared: this.#shared }),
    );
  }

  #benchmark(amount: number): readonly (number | null)[] {
    const { dates, benchmark } = this.#rows;
    if (benchmark === null) return dates.map(() => null);
    const first = benchmark.find((worth) => !Number.isNaN(worth));
    return Array.from(benchmark, (worth) => (Number.isNaN(worth) ? null : (amount * worth) / first!));
  }
}

function fallOf(dates: readonly IsoDate[], values: Float64Array): DeepestFall | null {
  const fall = deepestDrawdown(returnsOf(values));
  return fall && { depth: fall.depth, peak: dates[fall.peak]!, trough: dates[fall.trough]! };
}

function isWhole(instrument: Instrument | undefined): boolean {
  return instrument?.kind === 'equity' && instrument.quantityStep >= ONE_SHARE;
}

const ONE_SHARE = toQuantity(1);

function inDollars(amount: number): number {
  return amount / 1e6;
}
