// The half of the engine that runs once for all deployments: closed bars in, the strategy's target out. A pure function
// of the bars closed by `asOf`, and bit for bit what a backtest over more bars sees at that moment.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant, utcDate } from '#units/instant.ts';
import { canonicalJson } from '../evidence/canonical-json.ts';
import { sha256Hex } from '../evidence/sha256.ts';
import type { TargetWeight } from '../event.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { NO_SCORES, type ScoreColumns } from '../model/score-columns.ts';
import { type CompiledDefinition, compileDefinition } from './compile-definition.ts';
import type { StrategyDefinition } from './definition.ts';
import { definitionHash } from './definition-hash.ts';
import { type SeriesBySymbol, seriesOf, symbolsRead } from './feature-column.ts';
import { optionsEndOn, withOptions } from './option-overlay.ts';
import { barAt } from './prepare.ts';
import { reasonsOf } from './reasons/reasons-of.ts';
import type { TargetReason } from './reasons/target-reason.ts';
import type { Verdict } from './targets/target-table.ts';

export type Target = {
  /** The close of the newest bar that it was computed from. */
  readonly asOf: Instant;
  /** What to hold from here on; an instrument that is not named is to be zero. */
  readonly weights: readonly TargetWeight[];
  /** Whether to trade on it now: the weights changed, or the schedule asks for sizes to be restored. */
  readonly rebalance: boolean;
  readonly receipt: EvaluationReceipt;
  /** SHA-256 of the definition's hash, asOf, weights and rebalance. */
  readonly hash: string;
};

export type EvaluationReceipt = {
  readonly definitionHash: string;
  readonly instruments: readonly InstrumentReceipt[];
};

export type InstrumentReceipt = {
  readonly symbol: Symbol;
  /** Close of its newest bar; null when it has none yet. */
  readonly barClosedAt: Instant | null;
  readonly close: number | null;
  /** Null where a feature is not defined yet. */
  readonly features: { readonly [name: string]: number | null };
  readonly weight: number;
  /** Before this decision. */
  readonly weightBefore: number;
  readonly verdict: Verdict;
  /** When that was decided; null when never. */
  readonly decidedAt: Instant | null;
  readonly reasons: readonly TargetReason[];
};

/** `scores`: where the definition has a model, its score of each bar of each series. */
export function evaluate(
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  asOf: Instant,
  scores: ScoreColumns = NO_SCORES,
): Target {
  const known = new Map<Symbol, BarSeries>();
  for (const symbol of symbolsRead(definition)) known.set(symbol, closedBy(seriesOf(series, symbol), asOf));
  const knownScores = new Map(
    [...scores].map(([symbol, column]) => [symbol, column.subarray(0, known.get(symbol)?.length)]),
  );
  const compiled = compileDefinition(definition, known, knownScores);
  const { table } = compiled;
  const lastRow = table.timeline.length - 1;
  const at = lastRow < 0 ? asOf : instant(table.timeline[lastRow]!);
  const width = table.symbols.length;
  const from = (table.count - 1) * width;
  const weightOf = (s: number) => (table.count === 0 ? 0 : table.weights[from + s]!);
  const own = table.symbols
    .map((symbol, s): TargetWeight => ({ symbol, weight: weightOf(s) }))
    .filter(({ weight }) => weight !== 0);
  const { options } = definition;
  const lastKnown = (symbol: Symbol) => {
    const bars = seriesOf(known, symbol);
    return { bars, last: bars.length - 1 };
  };
  const weights = options ? withOptions(own, options, lastKnown) : own;
  const endsOptions = options !== undefined && own.length > 0 && optionsEndOn(utcDate((at - 1) as Instant));
  const changed = table.count > 0 && table.rows[table.count - 1] === lastRow;
  const rebalance = endsOptions || changed;
  const hash = definitionHash(definition);
  const reasons = reasonsOf(compiled);
  const weightBefore = (s: number) =>
    !changed ? weightOf(s) : table.count < 2 ? 0 : table.weights[from - width + s]!;
  return {
    asOf: at,
    weights,
    rebalance,
    receipt: {
      definitionHash: hash,
      instruments: table.symbols.map((_, s) => ({
        ...instrumentReceipt(compiled, s),
        weight: weightOf(s),
        weightBefore: weightBefore(s),
        reasons: reasons[s]!,
      })),
    },
    hash: sha256Hex(canonicalJson({ definition: hash, asOf: at, weights, rebalance })),
  };
}

function instrumentReceipt(
  { prepared, table }: CompiledDefinition,
  s: number,
): Omit<InstrumentReceipt, 'weight' | 'weightBefore' | 'reasons'> {
  const instrument = prepared.instruments[s]!;
  const { symbol, bars } = instrument;
  const lastRow = table.timeline.length - 1;
  const bar = lastRow < 0 ? -1 : barAt(instrument, lastRow);
  const features: { [name: string]: number | null } = {};
  for (const name of instrument.features.names) {
    const value = bar < 0 ? Number.NaN : instrument.features.valueAt(name, bar);
    features[name] = Number.isNaN(value) ? null : value;
  }
  const decidedAtRow = table.decidedAtRow[s]!;
  const decidedAt = decidedAtRow < 0 ? null : instant(table.timeline[decidedAtRow]!);
  const verdict = table.verdicts[s]!;
  return {
    symbol,
    barClosedAt: bar < 0 ? null : instant(bars.closedAt[bar]!),
    close: bar < 0 ? null : bars.close[bar]!,
    features,
    verdict,
    decidedAt,
  };
}

/** The bars closed at or before an instant, without copying them. */
export function closedBy(bars: BarSeries, asOf: Instant): BarSeries {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (bars.closedAt[middle]! <= asOf) low = middle + 1;
    else high = middle;
  }
  if (low === bars.length) return bars;
  return {
    symbol: bars.symbol,
    interval: bars.interval,
    length: low,
    closedAt: bars.closedAt.subarray(0, low),
    open: bars.open.subarray(0, low),
    high: bars.high.subarray(0, low),
    low: bars.low.subarray(0, low),
    close: bars.close.subarray(0, low),
    volume: bars.volume.subarray(0, low),
    ...(bars.barsPerDay === undefined ? {} : { barsPerDay: bars.barsPerDay }),
    ...(bars.actions === undefined ? {} : { actions: bars.actions }),
  };
}
