import { expect } from 'vitest';
import { hours } from '#engine/market/calendar.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import { HOUR_MS, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import type { FeedCase, FeedHarness } from './feed-case.ts';

const day = (text: string) => text as IsoDate;
const closeOf = (date: IsoDate) => hours('us-equity', date).closesAt;
/** Every feed has the bar of a day within the hour after its close. */
const hourAfter = (date: IsoDate) => instant(closeOf(date) + HOUR_MS);

export const BAR_CASES: readonly FeedCase[] = [
  {
    number: 'B1',
    requirement: 'bars are those of the market, oldest first, from the first day asked for to the last',
    async run({ feed, prices, share, now }) {
      const range = { from: day('2026-10-05'), to: day('2026-11-06') };
      const { bars, malformed } = valueOf(await feed.dailyBars(share, range.from, range.to));
      expect(malformed).toBeNull();
      expect(bars).toEqual(prices.dailyBars(share, { ...range, asOf: now() }));
      expect([bars.length, bars[0]?.date, bars.at(-1)?.date]).toEqual([25, range.from, range.to]);
    },
  },
  {
    number: 'B2',
    requirement: 'a history longer than one page arrives whole',
    async run({ feed, prices, share, now }) {
      const range = { from: day('2024-12-02'), to: day('2026-11-20') };
      const { bars } = valueOf(await feed.dailyBars(share, range.from, range.to));
      expect(bars).toEqual(prices.dailyBars(share, { ...range, asOf: now() }));
      expect(bars.length).toBeGreaterThan(450);
    },
  },
  {
    number: 'B3',
    requirement:
      'days before the history and a range that ends before it begins have no bars, and are no failure',
    async run({ feed, share }) {
      expect(await datesOf(feed, share, '1999-01-04', '1999-02-01')).toEqual([]);
      expect(await datesOf(feed, share, '2026-11-06', '2026-11-02')).toEqual([]);
    },
  },
  {
    number: 'B4',
    requirement: 'the bar of a day is offered after its close and never before',
    async run(harness) {
      const { feed, share } = harness;
      expect(await datesOf(feed, share, '2026-11-20', '2026-11-23')).toEqual(['2026-11-20']);
      await harness.moveTo(instant(closeOf(day('2026-11-23')) - MINUTE_MS));
      expect(await datesOf(feed, share, '2026-11-20', '2026-11-23')).toEqual(['2026-11-20']);
      await harness.moveTo(hourAfter(day('2026-11-23')));
      expect(await datesOf(feed, share, '2026-11-20', '2026-11-23')).toEqual(['2026-11-20', '2026-11-23']);
    },
  },
  {
    number: 'B5',
    requirement: 'days to come are no failure: the bars that are there are returned',
    async run({ feed, share }) {
      expect(await datesOf(feed, share, '2026-11-19', '2026-12-31')).toEqual(['2026-11-19', '2026-11-20']);
    },
  },
  {
    number: 'B6',
    requirement: 'a holiday has no bar, and the bar of a half day closes at its early close',
    async run(harness) {
      await harness.moveTo(hourAfter(day('2026-11-27')));
      const answer = await harness.feed.dailyBars(harness.share, day('2026-11-25'), day('2026-11-27'));
      const { bars } = valueOf(answer);
      expect(bars.map(({ date }) => date)).toEqual(['2026-11-25', '2026-11-27']);
      expect(bars.map(({ closedAt }) => new Date(closedAt).toISOString().slice(11, 16))).toEqual([
        '21:00',
        '18:00',
      ]);
    },
  },
  {
    number: 'B7',
    requirement: 'days away are caught up in order, without a hole',
    async run(harness) {
      await harness.moveTo(hourAfter(day('2026-12-04')));
      expect(await datesOf(harness.feed, harness.share, '2026-11-23', '2026-12-04')).toEqual([
        '2026-11-23',
        '2026-11-24',
        '2026-11-25',
        '2026-11-27',
        '2026-11-30',
        '2026-12-01',
        '2026-12-02',
        '2026-12-03',
        '2026-12-04',
      ]);
    },
  },
  {
    number: 'B8',
    requirement: 'a bar says the half-open interval of its session',
    async run({ feed, share }) {
      const { bars } = valueOf(await feed.dailyBars(share, day('2026-10-26'), day('2026-11-06')));
      for (const bar of bars) {
        const { opensAt, closesAt } = hours('us-equity', bar.date);
        expect([bar.openedAt, bar.closedAt]).toEqual([opensAt, closesAt]);
      }
    },
  },
  {
    number: 'B9',
    requirement: 'a row that cannot be read ends the bars before it, and is named',
    async run(harness) {
      harness.spoilRow(day('2026-11-11'));
      const answer = await harness.feed.dailyBars(harness.share, day('2026-11-09'), day('2026-11-13'));
      const { bars, malformed } = valueOf(answer);
      expect(bars.map(({ date }) => date)).toEqual(['2026-11-09', '2026-11-10']);
      expect(malformed).toMatch(/\bc(lose)?\b/);
    },
  },
  {
    number: 'B10',
    requirement: 'bars of an instrument that the feed does not have are a failure, not an empty list',
    async run({ feed }) {
      expect(await feed.dailyBars('NOBODY' as never, day('2026-11-02'), day('2026-11-06'))).toMatchObject({
        ok: false,
        code: 'unknown_symbol',
        message: expect.stringContaining('NOBODY'),
      });
    },
  },
  {
    number: 'B11',
    requirement: 'bars asked for by several at once are the same for each',
    async run({ feed, share, other }) {
      const ask = (symbol: typeof share) => feed.dailyBars(symbol, day('2026-11-02'), day('2026-11-06'));
      const [first, second, third] = await Promise.all([ask(share), ask(other), ask(share)]);
      expect(first).toEqual(third);
      expect(valueOf(first).bars).not.toEqual(valueOf(second).bars);
    },
  },
];

async function datesOf(feed: FeedHarness['feed'], share: FeedHarness['share'], from: string, to: string) {
  return valueOf(await feed.dailyBars(share, day(from), day(to))).bars.map(({ date }) => date);
}

export function valueOf<Value>(answer: MarketDataAnswer<Value>): Value {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value;
}
