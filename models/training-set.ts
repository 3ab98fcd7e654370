// What a model learns from: rows of inputs with the outcome that followed. Only rows whose outcome was known
// `embargoDays` before the model is first used are included.
import { type RowPlan, modelRows } from '#engine/model/model-rows.ts';
import { type SeriesBySymbol, seriesOf } from '#engine/strategy/feature-column.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';

export type TrainingSet = {
  readonly width: number;
  readonly count: number;
  /** count × width. */
  readonly inputs: Float32Array;
  /** What the model is to predict, one for each row. */
  readonly labels: Float64Array;
  readonly firstClose: Instant;
  readonly lastClose: Instant;
};

export type LabelPlan = RowPlan & {
  /** The outcome is the return from the next open to the open this many bars later. */
  readonly horizonBars: number;
  readonly embargoDays: number;
};

/** Everything that a model first used at `from` may learn from. */
export function trainingSet(plan: LabelPlan, series: SeriesBySymbol, from: Instant): TrainingSet {
  const rows = modelRows(plan, series);
  const outcomes = outcomesOf(plan, series, from - plan.embargoDays * DAY_MS);
  const kept: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    if (!Number.isNaN(outcomes[rows.instrument[row]!]![rows.bar[row]!]!)) kept.push(row);
  }
  const inputs = new Float32Array(kept.length * rows.width);
  const labels = new Float64Array(kept.length);
  kept.forEach((row, i) => {
    inputs.set(rows.values.subarray(row * rows.width, (row + 1) * rows.width), i * rows.width);
    labels[i] = outcomes[rows.instrument[row]!]![rows.bar[row]!]!;
  });
  const closes = Float64Array.from(kept, (row) => rows.closedAt[row]!);
  if (plan.model.scaling === 'cross_section') centreByClose(labels, closes);
  standardize(labels);
  return {
    width: rows.width,
    count: kept.length,
    inputs,
    labels,
    firstClose: closes[0]! as Instant,
    lastClose: closes.at(-1)! as Instant,
  };
}

/** Of each instrument, for each bar: the return that followed; NaN where it was not known at `knownBy`. */
export function outcomesOf(
  { universe, horizonBars }: LabelPlan,
  series: SeriesBySymbol,
  knownBy: number,
): Float64Array[] {
  return universe.map((symbol) => {
    const { open, closedAt, length } = seriesOf(series, symbol);
    const outcome = new Float64Array(length).fill(Number.NaN);
    for (let bar = 0; bar + 1 + horizonBars < length; bar++) {
      const end = bar + 1 + horizonBars;
      if (closedAt[end]! <= knownBy) outcome[bar] = open[end]! / open[bar + 1]! - 1;
    }
    return outcome;
  });
}

/** A move of the whole universe is no merit of one member. */
function centreByClose(labels: Float64Array, closes: Float64Array): void {
  let begin = 0;
  while (begin < labels.length) {
    let end = begin;
    let sum = 0;
    while (end < labels.length && closes[end] === closes[begin]) sum += labels[end++]!;
    const mean = sum / (end - begin);
    for (let i = begin; i < end; i++) labels[i] = labels[i]! - mean;
    begin = end;
  }
}

/** Mean 0 and deviation 1, cut at four deviations so that a few days do not decide what is learned. */
function standardize(labels: Float64Array): void {
  let sum = 0;
  for (const label of labels) sum += label;
  const mean = sum / labels.length;
  let squares = 0;
  for (const label of labels) squares += (label - mean) * (label - mean);
  const deviation = Math.sqrt(squares / labels.length);
  for (let i = 0; i < labels.length; i++) {
    labels[i] = Math.max(-CUT, Math.min(CUT, (labels[i]! - mean) / deviation));
  }
}

const CUT = 4;
