// The signals of one instrument as one code for each bar: what a run reads in its loop.
import { conditionColumn, operandColumn, TRUE } from '../strategy/condition-column.ts';
import type { Condition, SignalRule } from '../strategy/definition.ts';
import type { PreparedInstrument } from '../strategy/prepare.ts';

export const ENTER_LONG = 1;
export const EXIT_LONG = 2;
export const ENTER_SHORT = 4;
export const EXIT_SHORT = 8;

/** Sums of the codes above; 0 where nothing is asked for, and before the instrument is ready. */
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
      const asked = { above: code, below: below!.code, readyBar };
      const columns = {
        left: operandColumn(condition.left, inputs),
        right: operandColumn(condition.right, inputs),
      };
      addCrosses(codes, columns, asked);
    } else addCode(codes, conditionColumn(condition, inputs), { code, readyBar });
  }
  return codes;
}

/** Whether two conditions are the two directions in which the same columns cross. */
export function mirrors(one: Condition, other: Condition): boolean {
  if (one.op !== 'crosses_above') return false;
  if (other.op === 'crosses_below') return one.left === other.left && one.right === other.right;
  return other.op === 'crosses_above' && one.left === other.right && one.right === other.left;
}

/** Both directions of a cross in one pass: the same codes as the two condition columns would give. */
function addCrosses(
  codes: Uint8Array,
  { left, right }: { readonly left: Float64Array; readonly right: Float64Array },
  { above, below, readyBar }: CrossCodes,
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

type CrossCodes = { readonly above: number; readonly below: number; readonly readyBar: number };

function addCode(
  codes: Uint8Array,
  column: Uint8Array,
  { code, readyBar }: { readonly code: number; readonly readyBar: number },
): void {
  for (let i = readyBar; i < codes.length; i++) {
    if (column[i] === TRUE) codes[i] = codes[i]! | code;
  }
}

/** What a code asks for while `side` (1, 0, -1) is held. */
export function wishOf(code: number, side: number, repeats: boolean): { closes: boolean; opens: -1 | 0 | 1 } {
  const wish = wishCode(code, side, repeats);
  const opens = (wish & OPENS_LONG) !== 0 ? 1 : (wish & OPENS_SHORT) !== 0 ? -1 : 0;
  return { closes: (wish & CLOSES) !== 0, opens };
}

/** The same as a sum of the three below; 0 is nothing. */
export function wishCode(code: number, side: number, repeats: boolean): number {
  const closes = side === 0 ? 0 : CLOSES;
  if ((code & ENTER_LONG) !== 0 && (code & EXIT_LONG) === 0 && (side !== 1 || repeats)) {
    return closes | OPENS_LONG;
  }
  if ((code & ENTER_SHORT) !== 0 && (code & EXIT_SHORT) === 0 && (side !== -1 || repeats)) {
    return closes | OPENS_SHORT;
  }
  const leaves = (side === 1 && (code & EXIT_LONG) !== 0) || (side === -1 && (code & EXIT_SHORT) !== 0);
  return leaves ? CLOSES : 0;
}

export const CLOSES = 1;
export const OPENS_LONG = 2;
export const OPENS_SHORT = 4;

const NAMED_CODES = [
  { name: 'enterLong', code: ENTER_LONG },
  { name: 'exitLong', code: EXIT_LONG },
  { name: 'enterShort', code: ENTER_SHORT },
  { name: 'exitShort', code: EXIT_SHORT },
] as const;
