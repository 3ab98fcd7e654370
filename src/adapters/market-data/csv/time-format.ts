// Dates and times as files write them. The whole column decides the format: a single cell such as 3/4/2010 cannot.
import { type Instant, type IsoDate, instantOfDate, utcDate } from '#units/instant.ts';

export type TimeFormat =
  | 'YYYY-MM-DD'
  | 'YYYYMMDD'
  | 'M/D/YYYY'
  | 'D/M/YYYY'
  | 'D Mon YYYY'
  | 'Mon D YYYY'
  | 'epoch seconds'
  | 'epoch milliseconds'
  | 'epoch nanoseconds';

export type WrittenTime = {
  readonly date: IsoDate;
  /** Null when the cell holds only a date. */
  readonly secondOfDay: number | null;
  /** Minutes east of Greenwich, when the cell states an offset. */
  readonly offsetMinutes: number | null;
};

/** The format of most cells, or null when none matches or D/M and M/D are ambiguous. */
export function findTimeFormat(cells: readonly string[]): TimeFormat | 'ambiguous' | null {
  const counts = new Map<Shape, number>();
  let firstAbove12 = 0;
  let secondAbove12 = 0;
  for (const cell of cells) {
    const shape = shapeOf(cell);
    if (shape === null) continue;
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
    if (shape !== 'slashed') continue;
    const [, first, second] = SHAPES.slashed.exec(cell)!;
    if (Number(first) > 12) firstAbove12++;
    if (Number(second) > 12) secondAbove12++;
  }
  const usual = [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
  if (usual === undefined) return null;
  if (usual !== 'slashed') return usual;
  if (firstAbove12 === secondAbove12) return 'ambiguous';
  return secondAbove12 > firstAbove12 ? 'M/D/YYYY' : 'D/M/YYYY';
}

/** Null when the cell is not such a time, or names a day that does not exist. */
export function readTime(cell: string, format: TimeFormat): WrittenTime | null {
  if (format === 'epoch seconds' || format === 'epoch milliseconds' || format === 'epoch nanoseconds') {
    if (!SHAPES[format].test(cell)) return null;
    const ms = Math.round(Number(cell) * MS_PER[format]);
    const secondOfDay = Math.floor((ms - instantOfDate(utcDate(ms as Instant))) / 1_000);
    return { date: utcDate(ms as Instant), secondOfDay, offsetMinutes: 0 };
  }
  const parts =
    format === 'M/D/YYYY' || format === 'D/M/YYYY' ? SHAPES.slashed.exec(cell) : SHAPES[format].exec(cell);
  if (!parts) return null;
  const [year, month, day] = orderOf(format).map((index) => parts[index]!) as [string, string, string];
  const date = existingDate(fullYear(year), monthNumber(month), Number(day));
  if (date === null) return null;
  const clock = readClock(parts[4] ?? '');
  return clock && { date, ...clock };
}

/** A time of day such as 09:30, 0930, 9:30:00 PM or 14:00+02:00; empty text is no time of day. */
export function readClock(text: string): Omit<WrittenTime, 'date'> | null {
  if (text.trim() === '') return { secondOfDay: null, offsetMinutes: null };
  const match = CLOCK.exec(text.trim());
  if (!match) return null;
  const [, hourText, minuteText, secondText, half, zone] = match;
  let hour = Number(hourText);
  if (half !== undefined) hour = (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const second = Number(secondText ?? 0);
  if (hour > 23 || Number(minuteText) > 59 || second > 59) return null;
  return { secondOfDay: hour * 3_600 + Number(minuteText) * 60 + second, offsetMinutes: readZone(zone) };
}

function readZone(zone: string | undefined): number | null {
  if (zone === undefined) return null;
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!match) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
}

const MS_PER = { 'epoch seconds': 1_000, 'epoch milliseconds': 1, 'epoch nanoseconds': 1e-6 } as const;

type Shape = Exclude<TimeFormat, 'M/D/YYYY' | 'D/M/YYYY'> | 'slashed';

const SHAPES: Record<Shape, RegExp> = {
  'YYYY-MM-DD': /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(.+))?$/,
  YYYYMMDD: /^((?:1[89]|20)\d{2})(\d{2})(\d{2})(?:[T ]+(.+))?$/,
  slashed: /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[ ,]+(.+))?$/,
  'D Mon YYYY': /^(\d{1,2})[- ]([A-Za-z]{3,9})[- ,]+(\d{4}|\d{2})(?:[ ,]+(.+))?$/,
  'Mon D YYYY': /^([A-Za-z]{3,9})[- ](\d{1,2}),?[- ]+(\d{4})(?:[ ,]+(.+))?$/,
  'epoch seconds': /^\d{9,10}(?:\.\d+)?$/,
  'epoch milliseconds': /^\d{12,13}$/,
  'epoch nanoseconds': /^\d{18,19}$/,
};

const CLOCK = /^(\d{1,2}):?(\d{2})(?::?(\d{2})(?:\.\d+)?)?\s*(AM|PM)?\s*(Z|UTC|[+-]\d{2}:?(?:\d{2})?)?$/i;

function shapeOf(cell: string): Shape | null {
  for (const [shape, pattern] of Object.entries(SHAPES) as [Shape, RegExp][]) {
    if (pattern.test(cell)) return shape;
  }
  return null;
}

/** The positions of year, month and day among the matched groups. */
function orderOf(format: TimeFormat): readonly [number, number, number] {
  if (format === 'M/D/YYYY' || format === 'Mon D YYYY') return [3, 1, 2];
  if (format === 'D/M/YYYY' || format === 'D Mon YYYY') return [3, 2, 1];
  return [1, 2, 3];
}

/** Two-digit years are 1970 to 2069. */
function fullYear(text: string): number {
  if (text.length === 4) return Number(text);
  return Number(text) + (Number(text) >= 70 ? 1900 : 2000);
}

function monthNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  return (
    ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].indexOf(
      text.slice(0, 3).toLowerCase(),
    ) + 1
  );
}

function existingDate(year: number, month: number, day: number): IsoDate | null {
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  try {
    return utcDate(instantOfDate(text));
  } catch {
    return null;
  }
}
