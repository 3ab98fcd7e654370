// Daily bars out of shorter ones: first open, highest high, lowest low, last close of each trading day.
import { session } from './calendar.ts';
import type { Bar, CalendarId } from './instrument.ts';

/** Bars must be oldest first. Days without a session in the calendar are left out. */
export function dailyBars(bars: readonly Bar[], calendar: CalendarId): Bar[] {
  const days: Bar[] = [];
  for (const bar of bars) {
    const last = days.at(-1);
    if (last?.date === bar.date) {
      days[days.length - 1] = {
        ...last,
        high: Math.max(last.high, bar.high),
        low: Math.min(last.low, bar.low),
        close: bar.close,
        volume: last.volume + bar.volume,
      };
      continue;
    }
    const day = session(calendar, bar.date);
    if (day) days.push({ ...bar, openedAt: day.opensAt, closedAt: day.closesAt });
  }
  return days;
}
