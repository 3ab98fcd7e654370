// What the vendor says of the days of its exchanges, against our rules.
import {
  type CalendarExceptions,
  findExceptions,
  NO_EXCEPTIONS,
  type VendorDays,
} from '#engine/market/calendar-exceptions.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { calendarExceptionText } from '#rules/reasons/market-data-fault.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';

export type ContradictedDay = {
  readonly calendar: CalendarId;
  readonly date: IsoDate;
  readonly reason: string;
};

/** Asks the feed. While it does not answer, what it said before counts. */
export function watchCalendar(feed: Pick<MarketDataFeed, 'calendarDays'>): () => Promise<CalendarExceptions> {
  let days: readonly VendorDays[] = [];
  let exceptions: CalendarExceptions = NO_EXCEPTIONS;
  return async () => {
    const answer = await feed.calendarDays?.();
    if (answer?.ok === true && answer.value.some((one, index) => one !== days[index])) {
      days = answer.value;
      exceptions = new Map(days.map((one) => [one.calendar, findExceptions(one)]));
    }
    return exceptions;
  };
}

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
