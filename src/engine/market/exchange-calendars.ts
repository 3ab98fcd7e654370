// The calendar of each exchange, by the names that vendors use and by its market identifier code (ISO 10383).
import type { CalendarId } from './instrument.ts';

/** Null for an exchange that is not known here. */
export function calendarOf(exchange: string): CalendarId | null {
  return CALENDAR_OF.get(exchange.toUpperCase()) ?? null;
}

const EXCHANGES: Readonly<Partial<Record<CalendarId, readonly string[]>>> = {
  'us-equity':
    'NYSE XNYS NASDAQ XNAS XNCM XNGS XNMS ARCA NYSEARCA ARCX AMEX ASCX XASE BATS OTC OOTC XOTC'.split(' '),
  xetra: ['XETRA', 'XETR'],
  'euronext-paris': ['XPAR'],
  'euronext-amsterdam': ['XAMS'],
  london: ['LSE', 'XLON'],
  six: ['SIX', 'XSWX'],
};
const CALENDAR_OF: ReadonlyMap<string, CalendarId> = new Map(
  Object.entries(EXCHANGES).flatMap(([calendar, names]) =>
    names.map((name) => [name, calendar as CalendarId] as const),
  ),
);
