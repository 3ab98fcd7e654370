import { expect } from 'vitest';
import { findExceptions } from '#engine/market/calendar-exceptions.ts';
import { hours } from '#engine/market/calendar.ts';
import { HOUR_MS, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import { valueOf } from './bar-cases.ts';
import type { FeedCase, FeedHarness } from './feed-case.ts';

const TUESDAY = '2026-11-24' as IsoDate;
const usual = hours('us-equity', TUESDAY);
const EARLY = { ...usual, closesAt: instant(usual.closesAt - 3 * HOUR_MS) };

export const CALENDAR_CASES: readonly FeedCase[] = [
  {
    number: 'C1',
    requirement: 'the days of its exchange agree with our rules, from before the bars to days ahead',
    needs: 'calendar',
    async run(harness) {
      const [days] = valueOf(await harness.feed.calendarDays!());
      expect(days!.from < '2020-01-01' && days!.to > TUESDAY).toBe(true);
      expect(days!.sessions.length).toBeGreaterThan(1_000);
      expect(await exceptionsOf(harness)).toEqual([]);
    },
  },
  {
    number: 'C2',
    requirement: 'a closure that no rule names is told before the day',
    needs: 'calendar',
    async run(harness) {
      harness.closeOn(TUESDAY);
      expect(await exceptionsOf(harness)).toEqual([[TUESDAY, { ours: usual, theirs: null }]]);
    },
  },
  {
    number: 'C3',
    requirement:
      'an early close that no rule names is told, ends the day’s quotes, and is the close of its bar',
    needs: 'calendar',
    async run(harness) {
      const { feed, share } = harness;
      harness.closeEarlyOn(TUESDAY);
      expect(await exceptionsOf(harness)).toEqual([[TUESDAY, { ours: usual, theirs: EARLY }]]);
      await harness.moveTo(instant(EARLY.closesAt - MINUTE_MS));
      expect(valueOf(await feed.quotes([share]))[0]).toMatchObject({ open: true });
      await harness.moveTo(instant(EARLY.closesAt + 30 * MINUTE_MS));
      expect(valueOf(await feed.quotes([share]))[0]).toMatchObject({ open: false });
      await harness.moveTo(instant(usual.closesAt + HOUR_MS));
      const { bars } = valueOf(await feed.dailyBars(share, TUESDAY, TUESDAY));
      expect(bars).toMatchObject([{ date: TUESDAY, closedAt: EARLY.closesAt }]);
    },
  },
];

async function exceptionsOf({ feed }: FeedHarness) {
  const days = valueOf(await feed.calendarDays!());
  return days.flatMap((one) => [...findExceptions(one)]);
}
