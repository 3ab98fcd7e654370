// How far this machine's clock is from a vendor's, and whether that is too far to know how old a price is.
import type { MarketDataFailure } from '#ports/market-data.ts';
import { type Instant, instant, isoText, SECOND_MS } from '#units/instant.ts';
import { failure } from './read-answer.ts';

type Reading = {
  /** Ours when the vendor was asked, and when it had answered. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** The vendor's, read at some moment between the two. */
  readonly theirs: Instant;
  /** Of what the vendor says: 1000 where it says whole seconds. */
  readonly stepMs?: number;
};

/** Positive where ours is ahead; the middle of what the reading allows. */
export function clockDifferenceMs({ askedAt, answeredAt, theirs, stepMs = 0 }: Reading): number {
  return Math.round((askedAt + answeredAt) / 2 - (theirs + stepMs / 2));
}

/** Null while the clocks may agree. */
export function clockFailure(reading: Reading): MarketDataFailure | null {
  const { askedAt, answeredAt, theirs, stepMs = 0 } = reading;
  const offMs = Math.max(askedAt - (theirs + stepMs), theirs - answeredAt);
  if (offMs <= OFF_MAX_MS) return null;
  const differenceMs = clockDifferenceMs(reading);
  const seconds = (Math.abs(differenceMs) / SECOND_MS).toFixed(1);
  return failure(
    'clock_off',
    `the clock of this machine says ${isoText(instant(answeredAt))} and the vendor’s ${isoText(theirs)}. Ours is ${seconds} seconds ${differenceMs > 0 ? 'ahead' : 'behind'}, and two are the limit: switch on the machine’s time synchronisation (NTP)`,
  );
}

const OFF_MAX_MS = 2 * SECOND_MS;
