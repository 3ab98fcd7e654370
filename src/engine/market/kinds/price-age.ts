// How old a price may be when an order that it was decided on leaves. Only time in which the instrument trades counts: a
// close stays the newest price until the next opening.
import { DAY_MS, type Instant, instant, SECOND_MS } from '#units/instant.ts';
import { previousSession, sessionAt } from '../calendar.ts';
import type { Instrument } from '../instrument.ts';
import { KIND_RULES } from './rules-of.ts';

export type Priced = {
  readonly instrument: Pick<Instrument, 'kind' | 'calendar'>;
  readonly pricedAt: Instant;
  readonly now: Instant;
  /** See marketSpeed. */
  readonly speed: number;
  /** At most the kind's own limit. */
  readonly maxAgeMs?: number;
};

/**
 * How many times as fast as the wall's clock the market's runs; 1 at a real market. A simulated market that runs k times
 * as fast moves its prices k times as fast while a request is under way, which is no fault of the order: its limit is k
 * times as long.
 */
export function marketSpeed(daySeconds: number): number {
  return Math.max(1, DAY_MS / (daySeconds * SECOND_MS));
}

/** The moment that a feed shows which is late by its plan: what is old by then is old. */
export function seenAt(now: Instant, delayMs = 0): Instant {
  return instant(now - delayMs);
}

export function isPriceTooOld({ instrument, pricedAt, now, speed, maxAgeMs }: Priced): boolean {
  const ownMs = KIND_RULES[instrument.kind].priceMaxAgeMs;
  const limitMs = Math.min(ownMs, maxAgeMs ?? ownMs) * speed;
  if (now - pricedAt <= limitMs) return false;
  const session = sessionAt(instrument.calendar, now);
  if (session === null) return false;
  let openSince = session.opensAt;
  // The sessions of currencies and coins follow each other without a break.
  while (openSince > pricedAt && now - openSince <= limitMs) {
    const before = previousSession(instrument.calendar, openSince);
    if (before.closesAt < openSince) break;
    openSince = before.opensAt;
  }
  return now - Math.max(pricedAt, openSince) > limitMs;
}
