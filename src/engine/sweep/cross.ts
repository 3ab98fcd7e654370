// Rules that say one thing only: two features crossed, one way or the other. They are the most common ones, and a
// single scan of the two columns finds all that they ever say.
import { ENTER_LONG, ENTER_SHORT, EXIT_LONG, EXIT_SHORT, mirrors } from '../research/signal-codes.ts';
import type { Condition, SignalRule } from '../strategy/definition.ts';

export type Cross = {
  /** Indices into the plan's features. */
  readonly left: number;
  readonly right: number;
  /** What the cross upwards and the cross downwards ask for. */
  readonly above: number;
  readonly below: number;
};

/** The rule as two directions of one cross of two features; null when it says anything else. */
export function crossOf(
  { enterLong, exitLong, enterShort, exitShort }: SignalRule,
  columnOf: (name: string) => number | undefined,
): Cross | null {
  const up = enterLong ?? exitShort;
  const down = exitLong ?? enterShort;
  if (up?.op !== 'crosses_above' || down === undefined || !mirrors(up, down)) return null;
  if (!isSame(exitShort ?? up, up) || !isSame(enterShort ?? down, down)) return null;
  const left = columnOf(String(up.left));
  const right = columnOf(String(up.right));
  if (left === undefined || right === undefined) return null;
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
