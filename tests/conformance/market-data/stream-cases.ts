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
];

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

function until(isSo: () => boolean | Promise<boolean>): Promise<unknown> {
  return vi.waitUntil(isSo, { timeout: 4_500, interval: 25 });
}

function moveBy(harness: FeedHarness, ms: number): Promise<void> {
  return harness.moveTo(instant(harness.now() + ms));
}
