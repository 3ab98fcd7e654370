// One row of a file as a bar, or the reason it was refused.
import { CALENDAR_SPAN, isTradingDay, type Session, sessionAt } from '#engine/market/calendar.ts';
import { newYorkInstant, weekday } from '#engine/market/calendar-new-york-time.ts';
import type { Bar, BarInterval, CalendarId } from '#engine/market/instrument.ts';
import {
  HOUR_MS,
  type Instant,
  type IsoDate,
  instantOfDate,
  MINUTE_MS,
  SECOND_MS,
  utcDate,
} from '#units/instant.ts';
import { readNumber } from './cell-number.ts';
import type { TableRow } from './csv-table.ts';
import type { Columns } from './find-columns.ts';
import type { TimeFormat, WrittenTime } from './time-format.ts';

export type RowContext = {
  readonly columns: Columns;
  readonly format: TimeFormat;
  readonly calendar: CalendarId;
  readonly zone: 'utc' | 'new-york';
  readonly priceDivisor: number;
  /** The trading hours of a date, cached. */
  readonly dayOf: (date: IsoDate) => Session;
};

export type BarContext = RowContext & { readonly interval: BarInterval };

/** The bar of a row, or why it is refused. */
export function barOf(row: TableRow, time: WrittenTime | null, context: BarContext): Bar | string {
  const { columns, calendar } = context;
  if (time === null)
    return `"${row.cells[columns.time] ?? ''}" is not a date like the others (${context.format})`;
  const numbers: Partial<Record<'open' | 'high' | 'low' | 'close', number>> = {};
  for (const name of ['open', 'high', 'low', 'close'] as const) {
    const value = readNumber(row.cells[columns[name]]);
    if (value === 'missing') return `${name} is missing`;
    if (value === 'unreadable') return `${name} "${row.cells[columns[name]] ?? ''}" is not a number`;
    if (value <= 0) return `${name} is ${value}; a price must be above zero`;
    numbers[name] = value / context.priceDivisor;
  }
  const { open, high, low, close } = numbers as Record<'open' | 'high' | 'low' | 'close', number>;
  if (high < Math.max(open, close, low))
    return `high ${high} is below open ${open}, low ${low} or close ${close}`;
  if (low > Math.min(open, close)) return `low ${low} is above open ${open} or close ${close}`;
  const volume = columns.volume === null ? 0 : readNumber(row.cells[columns.volume]);
  if (volume === 'missing') return 'volume is missing';
  if (volume === 'unreadable') return `volume "${row.cells[columns.volume ?? 0] ?? ''}" is not a number`;
  if (volume < 0) return `volume is ${volume}; it cannot be negative`;
  const span = spanOf(time, context);
  if (isDayWithoutTrading(calendar, span.date))
    return `${span.date} is no trading day of ${CALENDAR_WORDS[calendar]}`;
  return { ...span, open, high, low, close, volume };
}

function spanOf(time: WrittenTime, context: BarContext): Pick<Bar, 'openedAt' | 'closedAt' | 'date'> {
  if (context.interval === '1d') {
    const day = context.dayOf(time.date);
    return { openedAt: day.opensAt, closedAt: day.closesAt, date: day.date };
  }
  const openedAt = instantAt(time, context);
  const session = sessionAt(context.calendar, openedAt);
  const end = openedAt + INTERVAL_MS[context.interval];
  const closedAt = (session ? Math.min(end, session.closesAt) : end) as Instant;
  return { openedAt, closedAt, date: session?.date ?? utcDate(openedAt) };
}

/** The instant of a time in the file, in its own zone or the context's. */
export function instantAt(time: WrittenTime, { zone }: RowContext): Instant {
  const seconds = time.secondOfDay ?? 0;
  if (time.offsetMinutes !== null)
    return (instantOfDate(time.date) + seconds * SECOND_MS - time.offsetMinutes * MINUTE_MS) as Instant;
  if (zone === 'new-york') return (newYorkInstant(time.date, 0) + seconds * SECOND_MS) as Instant;
  return (instantOfDate(time.date) + seconds * SECOND_MS) as Instant;
}

/** Weekends always; for us-equity also holidays, where the calendar is certain. */
function isDayWithoutTrading(calendar: CalendarId, date: Bar['date']): boolean {
  if (calendar === 'crypto') return false;
  if (weekday(date) % 6 === 0) return date >= CALENDAR_SPAN.from;
  const sure = calendar === 'us-equity' && date >= CALENDAR_SPAN.from && date <= CALENDAR_SPAN.to;
  return sure && !isTradingDay(calendar, date);
}

const INTERVAL_MS = { '1h': HOUR_MS, '1m': MINUTE_MS } as const;
const CALENDAR_WORDS: Record<CalendarId, string> = {
  'us-equity': 'the New York Stock Exchange',
  xetra: 'Xetra',
  'euronext-paris': 'Euronext Paris',
  'euronext-amsterdam': 'Euronext Amsterdam',
  london: 'the London Stock Exchange',
  six: 'the Swiss exchange',
  forex: 'the currency market',
  crypto: 'crypto',
};
