// What a user should know about an accepted series before trusting it: gaps, jumps that look like splits, and
// periods that may belong to another company. Nothing here changes a bar.
import { CALENDAR_SPAN, isTradingDay } from '#engine/market/calendar.ts';
import type { Bar, BarInterval, CalendarId } from '#engine/market/instrument.ts';
import { addDays, DAY_MS, HOUR_MS, type IsoDate } from '#units/instant.ts';

export type Gap = { readonly from: IsoDate; readonly to: IsoDate; readonly tradingDays: number };
type SplitSuspicion = {
  readonly date: IsoDate;
  /** New shares per old that would explain the jump. */
  readonly ratio: number;
  readonly closeBefore: number;
  readonly open: number;
};
type BreakSuspicion = {
  readonly lastDate: IsoDate;
  readonly nextDate: IsoDate;
  readonly days: number;
};

export type SeriesJudgement = {
  readonly gaps: readonly Gap[];
  readonly splits: readonly SplitSuspicion[];
  readonly breaks: readonly BreakSuspicion[];
};

/** Dates in `knownSplitDates` are already explained and are not reported as suspected splits. */
export function judgeSeries(
  bars: readonly Bar[],
  options: { calendar: CalendarId; interval: BarInterval; knownSplitDates?: ReadonlySet<IsoDate> },
): SeriesJudgement {
  const known = options.knownSplitDates ?? new Set<IsoDate>();
  return {
    gaps: findGaps(bars, options.calendar),
    splits: options.calendar === 'us-equity' ? findSplits(bars).filter(({ date }) => !known.has(date)) : [],
    breaks: findBreaks(bars),
  };
}

/** Trading days without a bar between the first and the last one; for us-equity only where the calendar is certain. */
function findGaps(bars: readonly Bar[], calendar: CalendarId): Gap[] {
  const gaps: Gap[] = [];
  for (let i = 1; i < bars.length; i++) {
    if (bars[i]!.closedAt - bars[i - 1]!.closedAt <= NEXT_DAY_MS) continue;
    const from = addDays(bars[i - 1]!.date, 1);
    const until = bars[i]!.date;
    const missing: IsoDate[] = [];
    for (let date = from; date < until; date = addDays(date, 1)) {
      const sure = calendar !== 'us-equity' || (date >= CALENDAR_SPAN.from && date <= CALENDAR_SPAN.to);
      if (sure && isTradingDay(calendar, date)) missing.push(date);
    }
    if (missing.length > 0)
      gaps.push({ from: missing[0]!, to: missing.at(-1)!, tradingDays: missing.length });
  }
  return gaps;
}

/** Overnight jumps that match a common split ratio within a few percent and that a market move rarely explains. */
function findSplits(bars: readonly Bar[]): SplitSuspicion[] {
  return bars.slice(1).flatMap((bar, i): SplitSuspicion[] => {
    const closeBefore = bars[i]!.close;
    const jump = closeBefore / bar.open;
    const ratio = SPLIT_RATIOS.find((usual) => Math.abs(jump / usual - 1) < SPLIT_TOLERANCE);
    if (ratio === undefined || bar.closedAt - bars[i]!.closedAt > BREAK_DAYS * DAY_MS) return [];
    return [{ date: bar.date, ratio, closeBefore, open: bar.open }];
  });
}

/** Gaps so long that the symbol may have been reassigned to another company in between. */
function findBreaks(bars: readonly Bar[]): BreakSuspicion[] {
  return bars.slice(1).flatMap((bar, i): BreakSuspicion[] => {
    const { date, closedAt } = bars[i]!;
    const days = Math.round((bar.closedAt - closedAt) / DAY_MS);
    return days > BREAK_DAYS ? [{ lastDate: date, nextDate: bar.date, days }] : [];
  });
}

/** Closes at most this far apart are of the same or adjacent days, including DST changes and short days. */
const NEXT_DAY_MS = 28 * HOUR_MS;
const BREAK_DAYS = 60;
const SPLIT_TOLERANCE = 0.035;
const FORWARD = [1.5, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 50, 100];
const SPLIT_RATIOS = [...FORWARD, ...FORWARD.map((ratio) => 1 / ratio)];
