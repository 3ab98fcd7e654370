import type { IsoDate } from '#units/instant.ts';
import { nextTradingDay } from '../market/calendar.ts';
import type { CalendarId } from '../market/instrument.ts';

/**
 * The sessions whose end of day is still to be processed, oldest first: up to the last one that has closed, and no
 * further than `limit`, the last one whose closes are known. Where nothing was processed before, the last one alone.
 */
export function sessionsToProcess(
  calendar: CalendarId,
  sessions: {
    readonly processed: IsoDate | undefined;
    readonly closed: IsoDate;
    /** Null when no close is known; undefined when all are. */
    readonly limit: IsoDate | null | undefined;
  },
): readonly IsoDate[] {
  const { processed, closed, limit } = sessions;
  if (limit === null) return [];
  const last = limit !== undefined && limit < closed ? limit : closed;
  if (processed === undefined) return [last];
  const dates: IsoDate[] = [];
  for (let date = nextTradingDay(calendar, processed); date <= last; date = nextTradingDay(calendar, date))
    dates.push(date);
  return dates;
}
