// Time is an Instant: whole milliseconds since 1970-01-01T00:00:00Z, passed in, never read from a clock here.

export type Instant = number & { readonly __unit: 'instant' };

/** A calendar day as YYYY-MM-DD. */
export type IsoDate = string & { readonly __unit: 'iso-date' };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** States that a number is an Instant; throws RangeError when it is not a whole number of milliseconds. */
export function instant(ms: number): Instant {
  if (!Number.isSafeInteger(ms)) throw new RangeError(`not an instant: ${ms}`);
  return ms as Instant;
}

/** The UTC calendar day of an instant. */
export function utcDate(at: Instant): IsoDate {
  return new Date(at).toISOString().slice(0, 10) as IsoDate;
}

/** ISO 8601 in UTC with milliseconds. */
export function isoText(at: Instant): string {
  return new Date(at).toISOString();
}

/** Midnight UTC of a YYYY-MM-DD day. Throws RangeError when the text names no such day. */
export function instantOfDate(date: string): Instant {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date)
    throw new RangeError(`not a day: ${date}`);
  return ms as Instant;
}

/** An instant from ISO 8601 text or a Date. Throws RangeError when it names no instant. */
export function parseInstant(value: string | Date): Instant {
  const ms = value instanceof Date ? value.getTime() : Date.parse(value);
  if (Number.isNaN(ms)) throw new RangeError(`not an instant: ${String(value)}`);
  return ms as Instant;
}

export function addDays(date: IsoDate, days: number): IsoDate {
  return utcDate((instantOfDate(date) + days * DAY_MS) as Instant);
}
