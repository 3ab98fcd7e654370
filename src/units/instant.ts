// Time is an Instant: whole milliseconds since 1970-01-01T00:00:00Z, passed in, never read from a clock here.
import { civilDate, dayNumber } from './civil-date.ts';

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
  const { year, month, day } = civilDate(Math.floor(at / DAY_MS));
  if (!(year >= 0 && year <= 9_999)) throw new RangeError(`not a year of four digits: ${at}`);
  return isoDate(year, month, day);
}

/** Of a year from 0 to 9999, a month from 1 and a day from 1. */
export function isoDate(year: number, month: number, day: number): IsoDate {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}` as IsoDate;
}

/** ISO 8601 in UTC with milliseconds. */
export function isoText(at: Instant): string {
  return new Date(at).toISOString();
}

/** Midnight UTC of a YYYY-MM-DD day. Throws RangeError when the text names no such day. */
export function instantOfDate(date: string): Instant {
  const days = WRITTEN.test(date)
    ? dayNumber({
        year: Number(date.slice(0, 4)),
        month: Number(date.slice(5, 7)),
        day: Number(date.slice(8)),
      })
    : Number.NaN;
  const at = (days * DAY_MS) as Instant;
  // The 31st of a shorter month is another day, and so is a 13th month.
  if (Number.isNaN(days) || utcDate(at) !== date) throw new RangeError(`not a day: ${date}`);
  return at;
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

/** Whether a text names a day as YYYY-MM-DD. */
export function isDay(text: string): text is IsoDate {
  try {
    instantOfDate(text);
    return true;
  } catch {
    return false;
  }
}

const WRITTEN = /^\d{4}-\d{2}-\d{2}$/;

const twoDigits = (value: number) => (value < 10 ? `0${value}` : String(value));
