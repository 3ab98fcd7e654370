// Pairs rules: two instruments against each other. When their spread is unusually low the first is held long against
// the second, when unusually high the other way round, until it is usual again.
import { looksAtEveryBar } from '../schedule.ts';
import { rollingDeviation } from '../../indicators/rolling-deviation.ts';
import { log } from '../../math/log.ts';
import { alignTo } from '../align.ts';
import type { PairsRule } from '../definition.ts';
import { hedgeRatio } from './hedge-ratio.ts';
import { barAt, type Prepared, type PreparedInstrument } from '../prepare.ts';
import { type TargetTable, TargetWriter, type Verdict } from './target-table.ts';

export function pairTargets(prepared: Prepared, rule: PairsRule): TargetTable {
  const { definition, timeline, scheduled, instruments } = prepared;
  const { universe } = definition;
  const pairs = rule.pairs.map(({ first, second }) => {
    const legs = { first: universe.indexOf(first), second: universe.indexOf(second) };
    return { legs, machine: new PairMachine(instruments[legs.first]!, instruments[legs.second]!, rule) };
  });
  const share = definition.gross / pairs.length;
  const writer = new TargetWriter(universe.length);
  const weights = new Float64Array(universe.length);
  const verdicts: Verdict[] = universe.map(() => 'warming_up');
  const decidedAtRow = new Int32Array(universe.length).fill(-1);
  const onChange = looksAtEveryBar(definition);
  for (let t = 0; t < timeline.length; t++) {
    if (scheduled[t] !== 1) continue;
    weights.fill(0);
    for (const { legs, machine } of pairs) {
      const decided = machine.passRow(t);
      if (decided) {
        for (const leg of [legs.first, legs.second]) {
          verdicts[leg] = machine.verdict;
          decidedAtRow[leg] = t;
        }
      }
      weights[legs.first] = weights[legs.first]! + machine.side * share * machine.firstShare;
      weights[legs.second] = weights[legs.second]! - machine.side * share * (1 - machine.firstShare);
    }
    if (writer.differs(weights) || (!onChange && writer.count > 0)) writer.push(t, weights);
  }
  return {
    symbols: universe,
    timeline,
    count: writer.count,
    rows: writer.rows(),
    weights: writer.weights(),
    verdicts,
    decidedAtRow,
    spreadAt: (pair, row) => pairs[pair]!.machine.scoreAt(row),
  };
}

class PairMachine {
  /** 1 holds the first against the second, -1 the other way round. */
  side: -1 | 0 | 1 = 0;
  verdict: Verdict = 'warming_up';
  /** Of the pair's share of equity, what goes to the first leg; fixed at the entry. */
  firstShare = 0.5;
  readonly #first: PreparedInstrument;
  readonly #score: Float64Array;
  readonly #firstShares: Float64Array | null;
  readonly #rule: PairsRule;
  /** After a stop the spread must be usual again before the next entry. */
  #waits = false;

  constructor(first: PreparedInstrument, second: PreparedInstrument, rule: PairsRule) {
    this.#first = first;
    this.#rule = rule;
    const other = alignTo(first.bars, second.bars, second.bars.close);
    const { score, firstShares } = spreadScore(first.bars.close, other, rule);
    this.#score = score;
    this.#firstShares = firstShares;
  }

  /** How unusual the spread is at a row; NaN before that is defined. */
  scoreAt(row: number): number {
    const bar = barAt(this.#first, row);
    return bar < 0 ? Number.NaN : this.#score[bar]!;
  }

  /** Moves to a row; whether something was decided there. */
  passRow(row: number): boolean {
    const bar = barAt(this.#first, row);
    const score = this.scoreAt(row);
    if (Number.isNaN(score)) return false;
    const { enterAt, exitAt, stopAt = Number.POSITIVE_INFINITY } = this.#rule;
    const away = Math.abs(score);
    if (this.verdict === 'warming_up') this.verdict = 'spread_usual';
    if (this.side !== 0 && away >= stopAt) {
      this.#waits = true;
      return this.#decide(0, 'spread_stopped');
    }
    if (this.side !== 0 && -this.side * score <= exitAt) return this.#decide(0, 'spread_usual');
    if (this.#waits && away <= exitAt) this.#waits = false;
    if (this.side !== 0 || this.#waits || away < enterAt || away >= stopAt) return false;
    const share = this.#firstShares === null ? 0.5 : this.#firstShares[bar]!;
    // A hedge ratio that is not positive does not hedge.
    if (!(share > 0 && share < 1)) return false;
    this.firstShare = share;
    return score < 0 ? this.#decide(1, 'spread_low') : this.#decide(-1, 'spread_high');
  }

  #decide(side: -1 | 0 | 1, verdict: Verdict): boolean {
    this.side = side;
    this.verdict = verdict;
    return true;
  }
}

type SpreadScore = { readonly score: Float64Array; readonly firstShares: Float64Array | null };

/** How many sample standard deviations the spread is from its mean over the rule's length. */
function spreadScore(first: Float64Array, second: Float64Array, rule: PairsRule): SpreadScore {
  if (rule.spread === 'log_ratio') {
    const spread = new Float64Array(first.length);
    for (let i = 0; i < spread.length; i++) spread[i] = log(first[i]! / second[i]!);
    return { score: standardised(spread, rule.length), firstShares: null };
  }
  return hedgeRatio(first, second, rule.length);
}

function standardised(spread: Float64Array, length: number): Float64Array {
  const { mean, deviation } = rollingDeviation(spread, length, 'sample');
  const score = new Float64Array(spread.length).fill(Number.NaN);
  for (let i = 0; i < spread.length; i++) {
    if (deviation[i]! > 0) score[i] = (spread[i]! - mean[i]!) / deviation[i]!;
  }
  return score;
}
