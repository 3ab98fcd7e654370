// The signals of one instrument as one code for each bar: what a run reads in its loop.
import { TRUE } from '../strategy/condition-column.ts';
import type { SignalRule } from '../strategy/definition.ts';
import type { PreparedInstrument } from '../strategy/prepare.ts';
import { signalColumns } from '../strategy/signal-targets.ts';

export const ENTER_LONG = 1;
export const EXIT_LONG = 2;
export const ENTER_SHORT = 4;
export const EXIT_SHORT = 8;

/** Sums of the codes above; 0 where nothing is asked for, and before the instrument is ready. */
export function signalCodes(instrument: PreparedInstrument, rule: SignalRule): Uint8Array {
  const columns = signalColumns(instrument, rule);
  const codes = new Uint8Array(instrument.bars.length);
  const { readyBar } = instrument;
  addCode(codes, columns.enterLong, { code: ENTER_LONG, readyBar });
  addCode(codes, columns.exitLong, { code: EXIT_LONG, readyBar });
  addCode(codes, columns.enterShort, { code: ENTER_SHORT, readyBar });
  addCode(codes, columns.exitShort, { code: EXIT_SHORT, readyBar });
  return codes;
}

function addCode(
  codes: Uint8Array,
  column: Uint8Array | null,
  { code, readyBar }: { readonly code: number; readonly readyBar: number },
): void {
  if (column === null) return;
  for (let i = readyBar; i < codes.length; i++) {
    if (column[i] === TRUE) codes[i] = codes[i]! | code;
  }
}

/** What a code asks for while `side` (1, 0, -1) is held: 0 nothing, else closes and / or opens. */
export function wishOf(code: number, side: number, repeats: boolean): { closes: boolean; opens: -1 | 0 | 1 } {
  if ((code & ENTER_LONG) !== 0 && (code & EXIT_LONG) === 0 && (side !== 1 || repeats)) {
    return { closes: side !== 0, opens: 1 };
  }
  if ((code & ENTER_SHORT) !== 0 && (code & EXIT_SHORT) === 0 && (side !== -1 || repeats)) {
    return { closes: side !== 0, opens: -1 };
  }
  const leaves = (side === 1 && (code & EXIT_LONG) !== 0) || (side === -1 && (code & EXIT_SHORT) !== 0);
  return { closes: leaves, opens: 0 };
}
