// Bars of parts of a session: hours and minutes.
import { expect } from 'vitest';
import { barSeries } from '#engine/market/bar-series.ts';
import { hours } from '#engine/market/calendar.ts';
import type { Bar, IntradayInterval } from '#engine/market/instrument.ts';
import { intradaySeries } from '#engine/market/intraday-series.ts';
import { INTERVAL_MS } from '#engine/market/session-parts.ts';
import type { Symbol } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, instant, type IsoDate, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { valueOf } from './bar-cases.ts';
import { codeOf, failsByCode } from './fails-by-code.ts';
import type { FeedCase, FeedHarness } from './feed-case.ts';

const MONDAY = '2026-11-23' as IsoDate;
const openOf = (date: IsoDate) => hours('us-equity', date).opensAt;
const closeOf = (date: IsoDate) => hours('us-equity', date).closesAt;
/** Of every feed a part is there within the half hour after it. */
const LATEST_MS = 30 * MINUTE_MS;

async function partsOf(
  { feed, share }: FeedHarness,
  interval: IntradayInterval,
  after: Instant,
  symbol: Symbol = share,
): Promise<readonly Bar[]> {
  const answer = valueOf(await feed.intraday!.bars({ symbols: [symbol], interval, after }));
  const { bars, malformed } = answer.bars.get(symbol)!;
  expect(malformed).toBeNull();
  return bars;
}

const timesOf = (bars: readonly Bar[]) =>
  bars.map(({ closedAt }) => new Date(closedAt).toISOString().slice(5, 16));

export const PART_CASES: readonly FeedCase[] = [
  {
    number: 'H1',
    requirement:
      'it says which parts of a session it has of shares, hours among them, and of contracts it has none',
    needs: 'parts',
    async run({ feed }) {
      expect(feed.intraday!.intervals('equity')).toContain('1h');
      for (const kind of ['futures', 'options', 'forex'] as const)
        expect([kind, feed.intraday!.intervals(kind)]).toEqual([kind, []]);
    },
  },
  {
    number: 'H2',
    requirement:
      'hours are counted from the open, oldest first, without the minutes before and after the session; the last one is half an hour',
    needs: 'parts',
    async run(harness) {
      await harness.moveTo(instant(closeOf(MONDAY) + LATEST_MS));
      const bars = await partsOf(harness, '1h', openOf(MONDAY));
      expect(timesOf(bars)).toEqual(
        ['15:30', '16:30', '17:30', '18:30', '19:30', '20:30', '21:00'].map((time) => `11-23T${time}`),
      );
      for (const bar of bars) {
        expect(bar.date).toBe(MONDAY);
        expect(bar.closedAt - bar.openedAt).toBe(bar.closedAt === closeOf(MONDAY) ? HOUR_MS / 2 : HOUR_MS);
      }
    },
  },
  {
    number: 'H3',
    requirement: 'longer parts are those that its own minutes make, price by price, over days and a night',
    needs: 'parts',
    async run(harness) {
      await harness.moveTo(instant(closeOf('2026-11-24' as IsoDate) + LATEST_MS));
      const after = openOf(MONDAY);
      const minutes = barSeries(harness.share, '1m', await partsOf(harness, '1m', after));
      expect(minutes.length).toBe(2 * 390);
      for (const interval of ['5m', '15m', '30m', '1h'] as const) {
        const { barsPerDay: _, ...cut } = intradaySeries(minutes, { interval, calendar: 'us-equity' });
        expect(barSeries(harness.share, interval, await partsOf(harness, interval, after))).toEqual(cut);
      }
    },
  },
  {
    number: 'H4',
    requirement: 'a part that is under way is never given, and what it says is told until then',
    needs: 'parts',
    async run(harness) {
      const symbols = [harness.share];
      for (let at = openOf(MONDAY) + 2 * HOUR_MS; at < openOf(MONDAY) + 4 * HOUR_MS; at += 7 * MINUTE_MS) {
        await harness.moveTo(instant(at));
        for (const interval of ['5m', '1h'] as const) {
          const asked = { symbols, interval, after: openOf(MONDAY) };
          const { bars, through } = valueOf(await harness.feed.intraday!.bars(asked));
          const last = bars.get(harness.share)!.bars.at(-1)!;
          expect(last.closedAt).toBe(through);
          expect(last.closedAt).toBeLessThanOrEqual(at);
          expect(at - last.closedAt).toBeLessThan(INTERVAL_MS[interval] + LATEST_MS);
        }
      }
    },
  },
  {
    number: 'H5',
    requirement: 'a minute in which nothing trades has no bar, and longer parts are made of the others',
    needs: 'parts',
    async run(harness) {
      const opened = openOf(MONDAY);
      harness.leaveOut(instant(opened + MINUTE_MS));
      harness.leaveOut(instant(opened + 4 * MINUTE_MS));
      const until = (bars: readonly Bar[]) =>
        bars.filter(({ closedAt }) => closedAt <= opened + 5 * MINUTE_MS);
      const minutes = until(await partsOf(harness, '1m', opened));
      expect(minutes.map(({ openedAt }) => (openedAt - opened) / MINUTE_MS)).toEqual([0, 2, 3]);
      const [five] = await partsOf(harness, '5m', opened);
      expect(five).toMatchObject({ open: minutes[0]!.open, close: minutes[2]!.close });
      expect(five!.closedAt).toBe(opened + 5 * MINUTE_MS);
    },
  },
  {
    number: 'H6',
    requirement: 'a history longer than one page arrives whole, with every session of weeks away in order',
    needs: 'parts',
    async run(harness) {
      const after = openOf('2026-10-05' as IsoDate);
      const bars = await partsOf(harness, '30m', after);
      const days = new Set(bars.map(({ date }) => date));
      expect([days.size, [...days].at(0), [...days].at(-1)]).toEqual([36, '2026-10-05', MONDAY]);
      for (const day of [...days].slice(0, -1))
        expect(bars.filter(({ date }) => date === day)).toHaveLength(13);
    },
  },
  {
    number: 'H7',
    requirement: 'a half day ends with its early close, and a day without a session has no bar',
    needs: 'parts',
    async run(harness) {
      await harness.moveTo(instant(closeOf('2026-11-27' as IsoDate) + LATEST_MS));
      const bars = await partsOf(harness, '1h', closeOf('2026-11-25' as IsoDate));
      expect(timesOf(bars)).toEqual(['15:30', '16:30', '17:30', '18:00'].map((time) => `11-27T${time}`));
    },
  },
  {
    number: 'H8',
    requirement: 'hours keep to the exchange’s clock when that is put back',
    needs: 'parts',
    async run(harness) {
      const friday = '2026-10-30' as IsoDate;
      const bars = await partsOf(harness, '1h', openOf(friday));
      const first = (day: string) => timesOf(bars).find((time) => time.startsWith(day));
      expect([first('10-30'), first('11-02')]).toEqual(['10-30T14:30', '11-02T15:30']);
    },
  },
  {
    number: 'H9',
    requirement: 'several shares are answered together, each with its own bars',
    needs: 'parts',
    async run(harness) {
      const { feed, share, other } = harness;
      const after = openOf('2026-11-20' as IsoDate);
      const { bars } = valueOf(await feed.intraday!.bars({ symbols: [share, other], interval: '1h', after }));
      expect([...bars.keys()]).toEqual([share, other]);
      for (const symbol of [share, other])
        expect(bars.get(symbol)!.bars).toEqual(await partsOf(harness, '1h', after, symbol));
      expect(bars.get(share)!.bars).not.toEqual(bars.get(other)!.bars);
    },
  },
  {
    number: 'H10',
    requirement:
      'a row that cannot be read ends the bars before it and is named; mended by the vendor it is whole',
    needs: 'parts',
    async run(harness) {
      const after = openOf('2026-11-18' as IsoDate);
      const ask = async () =>
        valueOf(await harness.feed.intraday!.bars({ symbols: [harness.share], interval: '1h', after }));
      harness.spoilRow('2026-11-20' as IsoDate);
      const spoilt = (await ask()).bars.get(harness.share)!;
      expect(spoilt.malformed).toMatch(/\bc\b/);
      expect(new Set(spoilt.bars.map(({ date }) => date)).has('2026-11-20' as IsoDate)).toBe(false);
      expect(spoilt.bars.length).toBeGreaterThanOrEqual(13);
      harness.spoilRow(null);
      await harness.moveTo(instant(harness.now() + 2 * MINUTE_MS));
      const whole = (await ask()).bars.get(harness.share)!;
      expect(whole.malformed).toBeNull();
      expect(whole.bars.slice(0, spoilt.bars.length)).toEqual(spoilt.bars);
    },
  },
  {
    number: 'H11',
    requirement: 'a bar that the vendor corrects is the corrected one when it is asked for again',
    needs: 'parts',
    async run(harness) {
      const after = openOf('2026-11-20' as IsoDate);
      const [before] = await partsOf(harness, '1h', after);
      harness.leaveOut(after);
      await harness.moveTo(instant(harness.now() + 2 * MINUTE_MS));
      const [corrected] = await partsOf(harness, '1h', after);
      expect(corrected).toMatchObject({ closedAt: before!.closedAt });
      expect(corrected!.volume).toBeLessThan(before!.volume);
    },
  },
  {
    number: 'H12',
    requirement: 'parts of an instrument that the feed does not have are a failure that names it',
    needs: 'parts',
    async run({ feed, share }) {
      const asked = { symbols: [share, 'NOBODY' as Symbol], interval: '1h', after: openOf(MONDAY) } as const;
      expect(await feed.intraday!.bars(asked)).toMatchObject({
        code: 'unknown_symbol',
        message: expect.stringContaining('NOBODY'),
      });
    },
  },
  {
    number: 'H13',
    requirement:
      'of parts too, silence, errors, refusals and no JSON are failures with their codes, and pass',
    needs: 'parts',
    async run(harness) {
      const ask = () =>
        harness.feed.intraday!.bars({ symbols: [harness.share], interval: '1h', after: openOf(MONDAY) });
      await failsByCode(harness, [ask]);
      harness.answerWith(null);
      await harness.moveTo(instant(harness.now() + MINUTE_MS));
      expect(codeOf(await ask())).toBeNull();
    },
  },
  {
    number: 'H14',
    requirement: 'hours of a coin are the clock’s, day and night',
    needs: 'coin parts',
    async run(harness) {
      await harness.moveTo(parseInstant('2026-11-24T03:10:00Z'));
      const bars = await partsOf(harness, '1h', parseInstant('2026-11-23T22:00:00Z'), harness.coin);
      expect(timesOf(bars)).toEqual([
        '11-23T23:00',
        '11-24T00:00',
        '11-24T01:00',
        '11-24T02:00',
        '11-24T03:00',
      ]);
      expect(bars.map(({ date }) => date.slice(8))).toEqual(['23', '23', '24', '24', '24']);
    },
  },
];
