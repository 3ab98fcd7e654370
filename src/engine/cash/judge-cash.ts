// Whether the cash of an account agrees with what is known to have moved. Like a position, it is a difference only when two
// looks in a row see the same, and nothing is under way that could explain it.
import { DAY_MS, type Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { NettingDoubt } from './net-position.ts';

export type CashLook = {
  readonly unexplained: Micro;
  /**
   * Whether rates of the broker are taken to explain a part while the end of a session is not booked: what that end brings, a
   * dividend for one, would pass for a conversion.
   */
  readonly isGuessed: boolean;
  /** Of the last look, when that one was settled. */
  readonly seen: Micro | null;
  /** When the latest of the things that may still move or explain cash began; null without any. Trading clock. */
  readonly pendingSince: Instant | null;
  /** Since when rates that may cause it are not known; null when no such rate is open. */
  readonly ratesOpenSince: Instant | null;
  /** Of open margin positions whose results at the broker cannot be replayed; see net-position.ts. */
  readonly netting: NettingDoubt;
  readonly now: Instant;
};

/** explained: to the cent. waits: look again. difference: a person must look. */
export type CashVerdict = 'explained' | 'waits' | 'difference';

export function judgeCash(look: CashLook): CashVerdict {
  const { unexplained, isGuessed, seen } = look;
  if (Math.abs(unexplained) <= CENT) return isGuessed ? 'waits' : 'explained';
  if (!isSettled(look)) return 'waits';
  return seen === unexplained ? 'difference' : 'waits';
}

/** What is under way for longer than a day excuses nothing any more, and a netting doubt excuses what it can make up. */
export function isSettled({
  unexplained,
  pendingSince,
  ratesOpenSince,
  netting,
  now,
}: Omit<CashLook, 'seen' | 'isGuessed'>): boolean {
  const excuses = [pendingSince, ratesOpenSince];
  const isNetted = Math.abs(unexplained) <= netting.max && isWithin(netting.since, NETTED_MS, now);
  return !isNetted && excuses.every((since) => !isWithin(since, DAY_MS, now));
}

function isWithin(since: Instant | null, ms: number, now: Instant): boolean {
  return since !== null && now - since < ms;
}

/** A week has five sessions, and so five looks of its owner and of staff at what made the replay unsure. */
const NETTED_MS = 7 * DAY_MS;

const CENT = 10_000;
