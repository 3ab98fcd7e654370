// What a signal rule says at each bar of one instrument, as one code: a scan of a single column finds where it says
// anything.
import { conditionColumn, operandColumn, TRUE } from './condition-column.ts';
import type { Condition, SignalRule } from '../definition.ts';
import type { PreparedInstrument } from '../prepare.ts';

export const ENTER_LONG = 1;
export const EXIT_LONG = 2;
export const ENTER_SHORT = 4;
export const EXIT_SHORT = 8;

/** Sums of the codes above for the conditions that hold; of no meaning before the instrument is ready. */
export function signalCodes({ bars, features, readyBar }: PreparedInstrument, rule: SignalRule): Uint8Array {
  const inputs = { bars, features };
  const codes = new Uint8Array(bars.length);
  const wanted = NAMED_CODES.flatMap(({ name, code }) => {
    const condition = rule[name];
    return condition === undefined ? [] : [{ condition, code }];
  });
  for (let one = wanted.shift(); one !== undefined; one = wanted.shift()) {
    const { condition, code } = one;
    const twin = wanted.findIndex((other) => mirrors(condition, other.condition));
    if (twin >= 0 && condition.op === 'crosses_above') {
      const [below] = wanted.splice(twin, 1);
      const columns = {
        left: operandColumn(condition.left, inputs),
        right: operandColumn(condition.right, inputs),
      };
      addCrosses(codes, columns, { above: code, below: below!.code, readyBar });
    } else addCode(codes, conditionColumn(condition, inputs), code);
  }
  return codes;
}

/** Whether two conditions are the two directions in which the same columns cross. */
function mirrors(one: Condition, other: Condition): boolean {
  if (one.op !== 'crosses_above') return false;
  if (other.op === 'crosses_below') return one.left === other.left && one.right === other.right;
  return other.op === 'crosses_above' && one.left === other.right && one.right === other.left;
}

/** Both directions of a cross in one pass: the same codes as the two condition columns would give. */
function addCrosses(
  codes: Uint8Array,
  { left, right }: { readonly left: Float64Array; readonly right: Float64Array },
  { above, below, readyBar }: { readonly above: number; readonly below: number; readonly readyBar: number },
): void {
  const { length } = codes;
  if (readyBar >= length) return;
  let before = left[readyBar - 1]! - right[readyBar - 1]!;
  for (let i = readyBar; i < length; i++) {
    const gap = left[i]! - right[i]!;
    if (gap > 0) {
      if (before < 0) codes[i] = codes[i]! | above;
    } else if (gap < 0 && before > 0) codes[i] = codes[i]! | below;
    before = gap;
  }
}

function addCode(codes: Uint8Array, column: Uint8Array, code: number): void {
  for (let i = 0; i < codes.length; i++) if (column[i] === TRUE) codes[i] = codes[i]! | code;
}

const NAMED_CODES = [
  { name: 'enterLong', code: ENTER_LONG },
  { name: 'exitLong', code: EXIT_LONG },
  { name: 'enterShort', code: ENTER_SHORT },
  { name: 'exitShort', code: EXIT_SHORT },
] as const;
