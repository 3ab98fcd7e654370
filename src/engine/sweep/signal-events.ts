// The bars at which a variant's rule says anything, and what it says, as a short list: a run jumps from one to the
// next. A pair of crosses is found in one scan of its two columns, every other rule by its codes.
import {
  ENTER_LONG,
  ENTER_SHORT,
  EXIT_LONG,
  EXIT_SHORT,
  mirrors,
  signalCodes,
} from '../research/signal-codes.ts';
import type { Condition, SignalRule } from '../strategy/definition.ts';
import type { SweepVariant } from './plan-sweep.ts';
import type { SharedColumns } from './shared-columns.ts';

export class SignalEvents {
  count = 0;
  readonly bars: Int32Array;
  /** Sums of the codes of signal-codes.ts, never 0. */
  readonly codes: Uint8Array;

  constructor(length: number) {
    this.bars = new Int32Array(length);
    this.codes = new Uint8Array(length);
  }

  find(variant: SweepVariant, columns: SharedColumns, readyBar: number): void {
    this.count = 0;
    const { length } = columns.bars;
    if (readyBar >= length) return;
    const cross = crossOf(variant.rule);
    const left = cross && columns.named(variant, cross.left);
    const right = cross && columns.named(variant, cross.right);
    if (cross && left && right) this.#scan(left, right, { readyBar, above: cross.above, below: cross.below });
    else this.#collect(signalCodes(columns.prepared(variant), variant.rule), readyBar);
  }

  #collect(codes: Uint8Array, readyBar: number): void {
    for (let i = readyBar; i < codes.length; i++) {
      if (codes[i] === 0) continue;
      this.bars[this.count] = i;
      this.codes[this.count++] = codes[i]!;
    }
  }

  /** Where `left` passes from strictly below `right` to strictly above it at the next bar, and back. */
  #scan(
    left: Float64Array,
    right: Float64Array,
    { readyBar, above, below }: { readonly readyBar: number; readonly above: number; readonly below: number },
  ): void {
    const { bars, codes } = this;
    const { length } = left;
    let count = 0;
    let i = readyBar;
    let before = left[i - 1]! - right[i - 1]!;
    while (i < length) {
      if (before > 0) {
        while (i < length && left[i]! > right[i]!) i++;
        if (i === length) break;
        before = left[i]! - right[i]!;
        if (before < 0) {
          bars[count] = i;
          codes[count++] = below;
        }
      } else if (before < 0) {
        while (i < length && left[i]! < right[i]!) i++;
        if (i === length) break;
        before = left[i]! - right[i]!;
        if (before > 0) {
          bars[count] = i;
          codes[count++] = above;
        }
      } else before = left[i]! - right[i]!;
      i++;
    }
    this.count = count;
  }
}

type CrossRule = {
  readonly left: string;
  readonly right: string;
  /** What the cross upwards and the cross downwards ask for. */
  readonly above: number;
  readonly below: number;
};

/** The rule as two directions of one cross of two named columns; null when it says anything else. */
function crossOf(rule: SignalRule): CrossRule | null {
  const { enterLong, exitLong, enterShort, exitShort } = rule;
  const up = enterLong ?? exitShort;
  const down = exitLong ?? enterShort;
  if (up?.op !== 'crosses_above' || down === undefined || !mirrors(up, down)) return null;
  if (!isSame(exitShort ?? up, up) || !isSame(enterShort ?? down, down)) return null;
  const { left, right } = up;
  if (typeof left !== 'string' || typeof right !== 'string') return null;
  const above = (enterLong === undefined ? 0 : ENTER_LONG) | (exitShort === undefined ? 0 : EXIT_SHORT);
  const below = (exitLong === undefined ? 0 : EXIT_LONG) | (enterShort === undefined ? 0 : ENTER_SHORT);
  return { left, right, above, below };
}

function isSame(one: Condition, other: Condition): boolean {
  if (one === other) return true;
  return (
    'left' in one &&
    'left' in other &&
    one.op === other.op &&
    one.left === other.left &&
    one.right === other.right
  );
}
