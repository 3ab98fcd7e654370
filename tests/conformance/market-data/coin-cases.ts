import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { type IsoDate, MINUTE_MS, parseInstant, SECOND_MS } from '#units/instant.ts';
import { valueOf } from './bar-cases.ts';
import { failsByCode } from './fails-by-code.ts';
import type { FeedCase } from './feed-case.ts';
import { moveBy, until } from './stream-cases.ts';

const day = (text: string) => text as IsoDate;

export const COIN_CASES: readonly FeedCase[] = [
  {
    number: 'O1',
    requirement: 'a coin is paid in full, in dollars, in fractions, and trades on every day',
    needs: 'coins',
    async run({ feed, prices, coin }) {
      const found = valueOf(await feed.instruments()).find(({ symbol }) => symbol === coin);
      const { quantityStep, priceDecimals } = prices.instruments.find(({ symbol }) => symbol === coin)!;
      expect(found).toMatchObject({
        kind: 'crypto',
        currency: 'USD',
        unitCurrency: 'BTC',
        multiplier: 1,
        quantityStep,
        priceDecimals,
        calendar: 'crypto',
        settlement: 'cash',
        expiry: null,
      });
    },
  },
  {
    number: 'O2',
    requirement: 'the bars of a coin are the market’s days from midnight UTC, on weekends and holidays too',
    needs: 'coins',
    async run({ feed, prices, coin, now }) {
      const range = { from: day('2026-10-01'), to: day('2026-11-22') };
      const { bars, malformed } = valueOf(await feed.dailyBars(coin, range.from, range.to));
      expect(malformed).toBeNull();
      expect(bars).toEqual(prices.dailyBars(coin, { ...range, asOf: now() }));
      expect(bars).toHaveLength(53);
    },
  },
  {
    number: 'O3',
    requirement: 'the bar of a coin is offered after midnight UTC and never before',
    needs: 'coins',
    async run(harness) {
      const { feed, coin } = harness;
      const dates = async () =>
        valueOf(await feed.dailyBars(coin, day('2026-11-21'), day('2026-11-30'))).bars.map(
          ({ date }) => date,
        );
      expect(await dates()).toEqual(['2026-11-21', '2026-11-22']);
      await harness.moveTo(parseInstant('2026-11-23T23:59:30Z'));
      expect(await dates()).toEqual(['2026-11-21', '2026-11-22']);
      await harness.moveTo(parseInstant('2026-11-24T00:30:00Z'));
      expect(await dates()).toEqual(['2026-11-21', '2026-11-22', '2026-11-23']);
    },
  },
  {
    number: 'O4',
    requirement: 'a coin is open and has a price of the last minute while exchanges are closed',
    needs: 'coins',
    async run(harness) {
      const { feed, coin, share, prices } = harness;
      for (const at of ['2026-11-26T16:00:00Z', '2026-11-28T03:00:00Z']) {
        await harness.moveTo(parseInstant(at));
        const [ofCoin, ofShare] = valueOf(await feed.quotes([coin, share]));
        expect(ofCoin).toMatchObject({ open: true, last: prices.quote(coin, harness.now())!.last });
        expect(harness.now() - ofCoin!.at).toBeLessThan(MINUTE_MS);
        expect(ofCoin!.bid).toBeLessThanOrEqual(ofCoin!.ask);
        expect(ofShare).toMatchObject({ open: false });
      }
    },
  },
  {
    number: 'O5',
    requirement: 'shares and coins are quoted together, in the order asked for',
    needs: 'coins',
    async run({ feed, coin, share, other }) {
      for (const asked of [[share, coin, other], [coin, share], [coin]])
        expect(valueOf(await feed.quotes(asked)).map(({ symbol }) => symbol)).toEqual(asked);
    },
  },
  {
    number: 'O6',
    requirement: 'of a coin too, silence, errors, refusals and no JSON are failures with their codes',
    needs: 'coins',
    async run(harness) {
      await failsByCode(harness, [
        () => harness.feed.quotes([harness.coin]),
        () => harness.feed.dailyBars(harness.coin, day('2026-11-02'), day('2026-11-06')),
      ]);
    },
  },
  {
    number: 'O7',
    requirement: 'a row of a coin that cannot be read ends the days before it, and is named',
    needs: 'coins',
    async run(harness) {
      harness.spoilRow(day('2026-11-11'));
      const answer = await harness.feed.dailyBars(harness.coin, day('2026-11-09'), day('2026-11-13'));
      const { bars, malformed } = valueOf(answer);
      expect(bars.map(({ date }) => date)).toEqual(['2026-11-09', '2026-11-10']);
      expect(malformed).toMatch(/\bc(lose)?\b/);
    },
  },
  {
    number: 'O8',
    requirement: 'days of a coin before its history and days to come are no failure',
    needs: 'coins',
    async run({ feed, coin }) {
      const count = async (from: string, to: string) =>
        valueOf(await feed.dailyBars(coin, day(from), day(to))).bars.length;
      expect(await count('1999-01-04', '1999-02-01')).toBe(0);
      expect(await count('2026-11-06', '2026-11-02')).toBe(0);
      expect(await count('2026-11-20', '2026-12-31')).toBe(3);
    },
  },
  {
    number: 'O9',
    requirement: 'while the stream of coins speaks, a new price is there without a request',
    needs: 'coin stream',
    async run(harness) {
      const { feed, coin, prices } = harness;
      await harness.moveTo(parseInstant('2026-11-28T03:00:00Z'));
      const quoted = async () => valueOf(await feed.quotes([coin]))[0]!;
      await until(async () => {
        await moveBy(harness, 2 * SECOND_MS);
        await pause(100);
        const asked = harness.quotesAsked();
        await quoted();
        return harness.quotesAsked() === asked;
      });
      const asked = harness.quotesAsked();
      await moveBy(harness, 3 * SECOND_MS);
      await until(async () => (await quoted()).at === harness.now());
      expect((await quoted()).last).toBe(prices.quote(coin, harness.now())!.last);
      expect(harness.quotesAsked()).toBe(asked);
    },
  },
];
