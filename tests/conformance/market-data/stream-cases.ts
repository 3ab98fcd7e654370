// What a stream of prices adds to requests. The market stands still and the stream does not: each wait has a deadline.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { instant, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { valueOf } from './bar-cases.ts';
import type { FeedCase, FeedHarness } from './feed-case.ts';

export const STREAM_CASES: readonly FeedCase[] = [
  {
    number: 'S1',
    requirement: 'while the stream speaks, a new price is there without a request',
    needs: 'stream',
    async run(harness) {
      await streaming(harness);
      const asked = harness.quotesAsked();
      await moveBy(harness, 3 * SECOND_MS);
      await until(async () => (await quoteOf(harness)).at === harness.now());
      const { share, prices, now } = harness;
      const { last, bid, ask } = prices.quote(share, now())!;
      expect(await quoteOf(harness)).toMatchObject({ last, bid, ask, open: true });
      expect(harness.quotesAsked()).toBe(asked);
    },
  },
  {
    number: 'S2',
    requirement: 'when the stream says nothing more, prices are asked for',
    needs: 'stream',
    async run(harness) {
      await streaming(harness);
      const asked = harness.quotesAsked();
      harness.stream!.isMute = true;
      await moveBy(harness, 10 * SECOND_MS);
      expect((await quoteOf(harness)).at).toBe(harness.now());
      expect(harness.quotesAsked()).toBe(asked + 1);
    },
  },
  ...(['drop', 'callSlow'] as const).map(
    (end, index): FeedCase => ({
      number: `S${index + 3}`,
      requirement: `after ${end === 'drop' ? 'a broken connection' : 'being told that it is too slow'}, what was missed is asked for, and the stream begins again`,
      needs: 'stream',
      async run(harness) {
        await streaming(harness);
        const asked = harness.quotesAsked();
        harness.stream![end]();
        await moveBy(harness, 3 * SECOND_MS);
        await until(async () => (await quoteOf(harness)).at === harness.now());
        await until(() => harness.stream!.subscriptions === 1);
        expect(harness.quotesAsked()).toBeGreaterThan(asked);
        await streaming(harness);
      },
    }),
  ),
  {
    number: 'S5',
    requirement: 'a halt is known of the share that it is about, until trading resumes',
    needs: 'stream',
    async run(harness) {
      const { stream, share, other, feed } = harness;
      await streaming(harness);
      const since = harness.now();
      stream!.halt(share);
      await until(async () => (await quoteOf(harness)).halt !== undefined);
      await moveBy(harness, 2 * MINUTE_MS);
      const [halted, traded] = valueOf(await feed.quotes([share, other]));
      expect(halted).toMatchObject({ halt: { since, said: 'News Pending' }, at: since });
      expect(traded).not.toHaveProperty('halt');
      stream!.resume(share);
      await until(async () => (await quoteOf(harness)).halt === undefined);
    },
  },
  {
    number: 'S6',
    requirement: 'a halt that ended while the stream was away ends with a later trade',
    needs: 'stream',
    async run(harness) {
      const { stream, share } = harness;
      await streaming(harness);
      stream!.halt(share);
      await until(async () => (await quoteOf(harness)).halt !== undefined);
      stream!.drop();
      await until(() => stream!.connections === 0);
      expect(await quoteOf(harness)).toHaveProperty('halt');
      stream!.resume(share);
      await until(async () => {
        await moveBy(harness, 2 * SECOND_MS);
        return (await quoteOf(harness)).halt === undefined;
      });
    },
  },
  {
    number: 'S7',
    requirement: 'a feed that is stopped ends its connection, and opens none until it is asked again',
    needs: 'stream',
    async run(harness) {
      await streaming(harness);
      harness.feed.stop!();
      await until(() => harness.stream!.connections === 0);
      await pause(2_500);
      expect(harness.stream!.connections).toBe(0);
      await streaming(harness);
    },
  },
  {
    number: 'L1',
    requirement: 'while the stream of its session speaks, a new price is there without a request',
    needs: 'lent stream',
    async run(harness) {
      await lending(harness);
      const before = harness.quotesAsked();
      await until(async () => {
        await moveOn(harness);
        return harness.quotesAsked() > before;
      });
      const asked = harness.quotesAsked();
      for (let look = 0; look < 3; look++) await moveOn(harness);
      expect(await quoteOf(harness)).toMatchObject({ last: present(harness), open: true });
      expect(harness.quotesAsked()).toBe(asked);
      // What a stream may have lost is asked for all the same.
      for (let look = 0; look < 3; look++) await moveOn(harness);
      expect(harness.quotesAsked()).toBeGreaterThan(asked);
    },
  },
  {
    number: 'L2',
    requirement: 'when that stream breaks, prices are asked for, until it speaks again',
    needs: 'lent stream',
    async run(harness) {
      await lending(harness);
      const asked = harness.quotesAsked();
      harness.lentStream!.drop();
      await until(() => harness.lentStream!.connections === 0);
      await moveBy(harness, PAST_REQUESTS_MS);
      expect((await quoteOf(harness)).last).toBe(present(harness));
      expect(harness.quotesAsked()).toBeGreaterThan(asked);
      await lending(harness);
    },
  },
  {
    number: 'L3',
    requirement:
      'when that stream says nothing more without breaking, prices are asked for, until it speaks again',
    needs: 'lent stream',
    async run(harness) {
      await lending(harness);
      harness.lentStream!.isMute = true;
      await moveBy(harness, SILENCE_MS);
      const asked = harness.quotesAsked();
      expect((await quoteOf(harness)).last).toBe(present(harness));
      expect(harness.quotesAsked()).toBeGreaterThan(asked);
      harness.lentStream!.isMute = false;
      await lending(harness);
    },
  },
  {
    number: 'L4',
    requirement: 'a feed that is stopped leaves that stream, and comes back when it is asked again',
    needs: 'lent stream',
    async run(harness) {
      await lending(harness);
      harness.feed.stop!();
      await until(() => harness.lentStream!.connections === 0);
      await pause(2_500);
      expect(harness.lentStream!.connections).toBe(0);
      await lending(harness);
    },
  },
];

/** Longer than an answer to a request counts, shorter than the silence that ends a stream. */
const PAST_REQUESTS_MS = 6 * SECOND_MS;

/** Longer than the heartbeat of a stream that lives. */
const SILENCE_MS = 13 * SECOND_MS;

/** To a later price, by whatever way it comes. */
async function moveOn(harness: FeedHarness): Promise<void> {
  await moveBy(harness, PAST_REQUESTS_MS);
  harness.lentStream!.beat();
  await pause(200);
  await until(async () => (await quoteOf(harness)).last === present(harness));
}

/** Until a quote of later than the last request needs no other. */
async function lending(harness: FeedHarness): Promise<void> {
  await until(async () => {
    await moveBy(harness, PAST_REQUESTS_MS);
    harness.lentStream!.beat();
    await pause(200);
    const asked = harness.quotesAsked();
    const { last } = await quoteOf(harness);
    return harness.quotesAsked() === asked && last === present(harness);
  });
}

function present({ prices, share, now }: FeedHarness): number {
  return prices.quote(share, now())!.last;
}

/** Until a quote needs no request. */
async function streaming(harness: FeedHarness): Promise<void> {
  await until(async () => {
    await moveBy(harness, 2 * SECOND_MS);
    await pause(100);
    const asked = harness.quotesAsked();
    await quoteOf(harness);
    return harness.quotesAsked() === asked;
  });
}

async function quoteOf({ feed, share }: FeedHarness) {
  return valueOf(await feed.quotes([share]))[0]!;
}

export function until(isSo: () => boolean | Promise<boolean>): Promise<unknown> {
  return vi.waitUntil(isSo, { timeout: 4_500, interval: 25 });
}

export function moveBy(harness: FeedHarness, ms: number): Promise<void> {
  return harness.moveTo(instant(harness.now() + ms));
}
