// What the vendor says of the days of its exchanges, against our rules.
import type { CalendarExceptions } from '#engine/market/calendar-exceptions.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { calendarExceptionText } from '#rules/reasons/market-data-fault.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';

export type ContradictedDay = {
  readonly calendar: CalendarId;
  readonly date: IsoDate;
  readonly reason: string;
};

/** From yesterday on. */
export function contradictedDays(exceptions: CalendarExceptions, now: Instant): readonly ContradictedDay[] {
  const since = addDays(utcDate(now), -1);
  return [...exceptions].flatMap(([calendar, days]) =>
    [...days]
      .filter(([date]) => date >= since)
      .map(([date, one]) => ({
        calendar,
        date,
        reason: `${calendar} on ${date}: ${calendarExceptionText(one)}`,
      })),
  );
}
