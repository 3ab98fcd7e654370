// Ranking rules: on each scheduled row the instruments are ranked by a feature; the highest are held long, the lowest
// short. Ties go to the one that the universe names first.
import { looksAtEveryBar } from '../schedule.ts';
import { conditionColumn, TRUE } from './condition-column.ts';
import type { RankingRule } from '../definition.ts';
import type { FeatureSet, ReturnsOf } from '../feature-set.ts';
import { barAt, isStale, type Prepared } from '../prepare.ts';
import { membershipOf } from './basket.ts';
import { smallest } from '../../math/smallest.ts';
import { type TargetTable, TargetWriter, type Verdict } from './target-table.ts';
import { weigherOf } from './weigh.ts';

export function rankingTargets(prepared: Prepared, rule: RankingRule): TargetTable {
  const { definition, timeline, scheduled, instruments } = prepared;
  const width = instruments.length;
  const { where } = rule;
  const eligible =
    where && instruments.map(({ bars, features }) => conditionColumn(where, { bars, features }));
  const sources = instruments.map(({ features }) => sourceOf(features, rule.by));
  const weigher = weigherOf(prepared);
  const writer = new TargetWriter(width);
  const ranking = new Ranking(width, rule);
  const weights = new Float64Array(width);
  const onChange = looksAtEveryBar(definition);
  const basket = membershipOf(prepared);
  for (let t = 0; t < timeline.length; t++) {
    if (scheduled[t] !== 1) continue;
    basket?.choose(t);
    for (let s = 0; s < width; s++) {
      const instrument = instruments[s]!;
      const bar = barAt(instrument, t);
      const takesPart =
        bar >= instrument.definedBar &&
        !isStale(instrument, bar, timeline[t]!) &&
        (eligible === undefined || eligible[s]![bar] === TRUE) &&
        (basket === null || basket.members[s] === 1);
      ranking.scores[s] = takesPart ? scoreAt(sources[s]!, bar) : Number.NaN;
    }
    ranking.rank(t);
    weigher.weigh(ranking.sides, t, weights);
    if (writer.differs(weights) || (!onChange && writer.count > 0)) writer.push(t, weights);
  }
  return {
    symbols: definition.universe,
    timeline,
    count: writer.count,
    rows: writer.rows(),
    weights: writer.weights(),
    verdicts: Array.from(ranking.sides, (_, s) => ranking.verdict(s)),
    decidedAtRow: ranking.decidedAtRow,
  };
}

/** A column, of length 0, or the prices that the scores are returns of: at most two are read where a row is ranked. */
function sourceOf(features: FeatureSet, name: string): ReturnsOf {
  return features.returnsOf(name) ?? { values: features.get(name) ?? NO_COLUMN, length: 0, lag: 0 };
}

function scoreAt({ values, length, lag }: ReturnsOf, bar: number): number {
  if (length === 0) return values[bar] ?? Number.NaN;
  const last = bar - lag;
  return last < length ? Number.NaN : values[last]! / values[last - length]! - 1;
}

class Ranking {
  /** NaN does not take part. */
  readonly scores: Float64Array;
  readonly sides: Int8Array;
  readonly decidedAtRow: Int32Array;
  readonly #order: Uint16Array;
  readonly #shuffled: Float64Array;
  readonly #top: number;
  readonly #bottom: number;

  constructor(width: number, { top, bottom }: RankingRule) {
    this.scores = new Float64Array(width).fill(Number.NaN);
    this.sides = new Int8Array(width);
    this.decidedAtRow = new Int32Array(width).fill(-1);
    this.#order = new Uint16Array(width);
    this.#shuffled = new Float64Array(width);
    this.#top = top;
    this.#bottom = bottom;
  }

  rank(row: number): void {
    const { scores, sides } = this;
    let count = 0;
    for (let s = 0; s < scores.length; s++) {
      this.decidedAtRow[s] = row;
      sides[s] = 0;
      if (scores[s] !== scores[s]) continue;
      this.#order[count] = s;
      this.#shuffled[count++] = scores[s]!;
    }
    // With fewer members than requested, the top comes first.
    const top = Math.min(this.#top, count);
    const bottom = Math.min(this.#bottom, count - top);
    this.#take(count, top, { side: 1, bound: top === 0 ? 0 : smallest(this.#shuffled, count, count - top) });
    this.#take(count, bottom, {
      side: -1,
      bound: bottom === 0 ? 0 : smallest(this.#shuffled, count, bottom - 1),
    });
  }

  /** Takes `wanted` instruments beyond the bound, then those on it in the order of the universe. */
  #take(
    count: number,
    wanted: number,
    { side, bound }: { readonly side: 1 | -1; readonly bound: number },
  ): void {
    if (wanted === 0) return;
    let left = wanted;
    for (let i = 0; i < count; i++) {
      const s = this.#order[i]!;
      if (this.sides[s] !== 0 || (this.scores[s]! - bound) * side <= 0) continue;
      this.sides[s] = side;
      left--;
    }
    for (let i = 0; i < count && left > 0; i++) {
      const s = this.#order[i]!;
      if (this.sides[s] !== 0 || this.scores[s] !== bound) continue;
      this.sides[s] = side;
      left--;
    }
  }

  verdict(s: number): Verdict {
    if (this.decidedAtRow[s] === -1) return 'warming_up';
    if (Number.isNaN(this.scores[s]!)) return 'not_eligible';
    const side = this.sides[s]!;
    return side > 0 ? 'ranked_top' : side < 0 ? 'ranked_bottom' : 'not_ranked';
  }
}

const NO_COLUMN: Float64Array = new Float64Array(0);
