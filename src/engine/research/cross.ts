// Rules that say one thing only: two features crossed, one way or the other. They are the most common ones, and a
// single scan of two columns finds all that they ever say.
import type { Condition, SignalRule } from '../strategy/definition.ts';
import { ENTER_LONG, ENTER_SHORT, EXIT_LONG, EXIT_SHORT, mirrors } from './signal-codes.ts';

export type Cross = {
  /** Names of features or prices, or numbers as text. */
  readonly left: string;
  readonly right: string;
  /** What the cross upwards and the cross downwards ask for. */
  readonly above: number;
  readonly below: number;
};

/** The rule as two directions of one cross; null when it says anything else. */
export function crossOf({ enterLong, exitLong, enterShort, exitShort }: SignalRule): Cross | null {
  const up = enterLong ?? exitShort;
  const down = exitLong ?? enterShort;
  if (up?.op !== 'crosses_above' || down === undefined || !mirrors(up, down)) return null;
  if (!isSame(exitShort ?? up, up) || !isSame(enterShort ?? down, down)) return null;
  const above = (enterLong === undefined ? 0 : ENTER_LONG) | (exitShort === undefined ? 0 : EXIT_SHORT);
  const below = (exitLong === undefined ? 0 : EXIT_LONG) | (enterShort === undefined ? 0 : ENTER_SHORT);
  return { left: String(up.left), right: String(up.right), above, below };
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
