// The wall's clock: when something happened here, whatever the market's clock showed. Requests, leases, pauses,
// heartbeats and a broker's own schedule run by it; sessions, bars, decisions and prices run by the market's (see
// instant). The two agree only where the market is the real one. A WallInstant is no number to the compiler, so an
// Instant is neither subtracted from it, nor compared with it, nor passed for it.
import { type Instant, type IsoDate, instant } from './instant.ts';

declare const UNIT: unique symbol;

/** Whole milliseconds since 1970-01-01T00:00:00Z on the wall's clock. */
export type WallInstant = { readonly [UNIT]: 'wall-instant' };

/** A number that is no instant of another clock. */
type PlainNumber = number & { readonly __unit?: never };

/** States that a number is a WallInstant; throws RangeError when it is not a whole number of milliseconds. */
export function wallInstant(ms: PlainNumber): WallInstant {
  if (!Number.isSafeInteger(ms)) throw new RangeError(`not an instant: ${String(ms)}`);
  return ms as unknown as WallInstant;
}

/** A WallInstant from ISO 8601 text or a Date. Throws RangeError when it names no instant. */
export function parseWallInstant(value: string | Date): WallInstant {
  return wallInstant(value instanceof Date ? value.getTime() : Date.parse(value));
}

/** Milliseconds from one to the other; negative when `later` is the earlier one. */
export function msBetween(earlier: WallInstant, later: WallInstant): number {
  return msOf(later) - msOf(earlier);
}

export function wallAfter(at: WallInstant, ms: number): WallInstant {
  return wallInstant(msOf(at) + ms);
}

/** ISO 8601 in UTC with milliseconds. */
export function wallText(at: WallInstant): string {
  return new Date(msOf(at)).toISOString();
}

/** The UTC calendar day. */
export function wallDate(at: WallInstant): IsoDate {
  return wallText(at).slice(0, 10) as IsoDate;
}

/**
 * What the market's clock shows at an instant of a broker's clock. A broker dates an execution by the clock of the market
 * that it happens in: at a real one both clocks show the same, and the sandbox brokerage keeps the sandbox market's time.
 * Only dates that a broker itself has written are read this way, never our own clock.
 */
export function marketInstantOf(at: WallInstant): Instant {
  return instant(msOf(at));
}

/** The way back of marketInstantOf; also for code that holds the wall's clock as an Instant, as the server does. */
export function wallInstantOf(at: Instant): WallInstant {
  return at as unknown as WallInstant;
}

function msOf(at: WallInstant): number {
  return at as unknown as number;
}
