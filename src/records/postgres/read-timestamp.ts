// Parses PostgreSQL's text of an instant to a Date: rows come by the ten thousand, and the driver's own parser handles
// every style and time zone.
import pg from 'pg';

/** Fractions of a millisecond are dropped. */
export function readTimestamp(text: string): Date {
  const isUsual = text.length >= 22 && text.charCodeAt(4) === HYPHEN && text.endsWith('+00');
  if (!isUsual) return anyTimestamp(text);
  const year = digits(text, 0, 4);
  if (year < 100) return anyTimestamp(text);
  const [month, day, hour] = [digits(text, 5, 7), digits(text, 8, 10), digits(text, 11, 13)];
  const [minute, second] = [digits(text, 14, 16), digits(text, 17, 19)];
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds(text)));
}

const anyTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => Date;

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + text.charCodeAt(i) - ZERO;
  return value;
}

/** The first three digits of a fraction; trailing zeros are not written. */
function milliseconds(text: string): number {
  const given = Math.min(3, text.length - 23);
  return given <= 0 ? 0 : digits(text, 20, 20 + given) * 10 ** (3 - given);
}

const HYPHEN = 45;
const ZERO = 48;
