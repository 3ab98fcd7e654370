// The bars at which a variant's rule says anything, and what it says, as a short list: a run jumps from one to the
// next. A pair of crosses is found in one scan of its two columns, every other rule by its codes.
import { signalCodes } from '../research/signal-codes.ts';
import type { Cross } from './cross.ts';
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
    const { cross, rule } = variant;
    if (cross === null) this.#collect(signalCodes(columns.prepared(variant), rule), readyBar);
    else
      this.#scan(columns.get(cross.left), columns.get(cross.right), {
        readyBar,
        above: cross.above,
        below: cross.below,
      });
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
    { readyBar, above, below }: { readonly readyBar: number } & Pick<Cross, 'above' | 'below'>,
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
