// Whether the cash of an account agrees with what is known to have moved. Like a position, it is a difference only when two
// looks in a row see the same, and nothing is under way that could explain it.
import { DAY_MS, type Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';

export type CashLook = {
  readonly unexplained: Micro;
  /** Of the last look, when that one was settled. */
  readonly seen: Micro | null;
  /** When the latest of the things that may still move or explain cash began; null without any. Trading clock. */
  readonly pendingSince: Instant | null;
  /** Since when rates that may cause it are not known; null when no such rate is open. */
  readonly ratesOpenSince: Instant | null;
  /** A margin position that several holders traded is netted at the broker: profits of one are open at another. */
  readonly isNetted: boolean;
  readonly now: Instant;
};

/** explained: to the cent. waits: look again. difference: a person must look. */
export type CashVerdict = 'explained' | 'waits' | 'difference';

export function judgeCash(look: CashLook): CashVerdict {
  const { unexplained, seen } = look;
  if (Math.abs(unexplained) <= CENT) return 'explained';
  if (!isSettled(look)) return 'waits';
  return seen === unexplained ? 'difference' : 'waits';
}

/** What is under way for longer than a day excuses nothing any more. */
export function isSettled({
  pendingSince,
  ratesOpenSince,
  isNetted,
  now,
}: Omit<CashLook, 'unexplained' | 'seen'>): boolean {
  const excuses = [pendingSince, ratesOpenSince];
  return !isNetted && excuses.every((since) => since === null || now - since >= DAY_MS);
}

const CENT = 10_000;
