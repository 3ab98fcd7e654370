// Decider rules: at each close at which the model was asked, the recorded weights become the target. Without an answer the rule's
// own fallback holds.
import { looksAtEveryBar } from '../strategy/schedule.ts';
import { barAt, type Prepared } from '../strategy/prepare.ts';
import { type TargetTable, TargetWriter, type Verdict } from '../strategy/targets/target-table.ts';
import type { DeciderRule } from './decider-rule.ts';

export function deciderTargets(prepared: Prepared, rule: DeciderRule): TargetTable {
  const { definition, timeline, scheduled, instruments } = prepared;
  const width = instruments.length;
  const writer = new TargetWriter(width);
  const weights = new Float64Array(width);
  const verdicts: Verdict[] = instruments.map(() => 'warming_up');
  const decidedAtRow = new Int32Array(width).fill(-1);
  const onChange = looksAtEveryBar(definition);
  // An empty record and one that was not given are not the same.
  if (instruments.some(({ proposed }) => proposed === undefined))
    throw new RangeError('the recorded answers of the model are not given');
  for (let t = 0; t < timeline.length; t++) {
    if (scheduled[t] !== 1) continue;
    let isAnswered = false;
    let isAsked = false;
    for (let s = 0; s < width; s++) {
      const { bars, definedBar, proposed } = instruments[s]!;
      const bar = barAt(instruments[s]!, t);
      if (bar < definedBar || bars.closedAt[bar] !== timeline[t]) continue;
      isAsked = true;
      const share = proposed![bar]!;
      if (Number.isNaN(share)) continue;
      isAnswered = true;
      decidedAtRow[s] = t;
      verdicts[s] = 'proposed';
      weights[s] = share * definition.gross;
    }
    if (!isAsked) continue;
    if (!isAnswered) {
      verdicts.fill(rule.withoutAnswer === 'flat' ? 'unanswered_flat' : 'unanswered_hold');
      decidedAtRow.fill(t);
      if (rule.withoutAnswer === 'flat') weights.fill(0);
      // Held is held as it is: nothing is traded without a decision.
      else continue;
    } else keepWithin(weights, definition.gross);
    if (writer.differs(weights) || (!onChange && writer.count > 0)) writer.push(t, weights);
  }
  return {
    symbols: definition.universe,
    timeline,
    count: writer.count,
    rows: writer.rows(),
    weights: writer.weights(),
    verdicts,
    decidedAtRow,
  };
}

/** What could not be decided on keeps its weight, so that the sum could be more than is allowed. */
function keepWithin(weights: Float64Array, gross: number): void {
  let sum = 0;
  for (const weight of weights) sum += Math.abs(weight);
  if (sum <= gross + ROUNDING) return;
  for (let s = 0; s < weights.length; s++) weights[s]! *= gross / sum;
}

const ROUNDING = 1e-9;
