import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { SECOND_MS } from '#units/instant.ts';
import { msBetween, type WallInstant, wallAfter, wallInstant } from '#units/wall-instant.ts';
import {
  afterBooking,
  afterNews,
  booksNews,
  type ExecutionNews,
  isLookDue,
  type LastLook,
  looksFirst,
  maySend,
  NO_NEWS,
} from './what-to-ask.ts';

const START = wallInstant(0);
const AAA = 'AAA' as Symbol;
const BBB = 'BBB' as Symbol;
const execution = (symbol: Symbol | null, id = 'E1'): ExecutionNews => ({
  executionId: id as ExecutionId,
  symbol,
});
const CALM: LastLook = {
  lookedAt: START,
  isReconciled: true,
  news: NO_NEWS,
  isStreamed: false,
  orders: 'none',
};
const at = (seconds: number): WallInstant => wallAfter(START, seconds * SECOND_MS);
/** From which second on a look is due. */
const dueFrom = (look: Partial<LastLook>, everySeconds: number): number | undefined =>
  Array.from({ length: 601 }, (_, second) => second).find((second) =>
    isLookDue({ ...CALM, ...look }, at(second), everySeconds * SECOND_MS),
  );

describe('the lists of a broker that allows them every five seconds', () => {
  it('are read again at once for what is unresolved, for news and after a gap, and else on occasion', () => {
    const news = afterNews(NO_NEWS);
    expect(dueFrom({ orders: 'unresolved' }, 5)).toBe(5);
    expect(dueFrom({ orders: 'working', news }, 5)).toBe(5);
    expect(dueFrom({ isReconciled: false }, 5)).toBe(5);
    expect(dueFrom({ orders: 'working' }, 5)).toBe(10);
    expect(dueFrom({ news }, 5)).toBe(5);
    expect(dueFrom({}, 5)).toBe(30);
  });

  it('wait for the stream where it has been heard throughout, and are read now and then for a frame that got lost', () => {
    const isStreamed = true;
    const news = afterNews(NO_NEWS);
    expect(dueFrom({ isStreamed, orders: 'working' }, 5)).toBe(60);
    expect(dueFrom({ isStreamed, orders: 'working' }, 0)).toBe(0);
    expect(dueFrom({ isStreamed }, 5)).toBe(300);
    for (const look of [
      { orders: 'unresolved' },
      { orders: 'working', news },
      { isReconciled: false },
      { news },
    ] as const)
      expect(dueFrom({ ...look, isStreamed }, 5)).toBe(dueFrom(look, 5));
  });

  it('are read with every look at orders where the broker sets no limit', () => {
    expect([dueFrom({ orders: 'working' }, 0), dueFrom({ orders: 'unresolved' }, 0)]).toEqual([0, 0]);
    expect(dueFrom({ news: afterNews(NO_NEWS) }, 0)).toBe(5);
  });

  it('are read when the clock was set back: it says nothing then', () => {
    expect(isLookDue(CALM, at(-1), 5 * SECOND_MS)).toBe(true);
  });

  it('are never read more often than allowed, and never less often than every half minute, whatever happens', () => {
    const happenings = fc.array(
      fc.record({
        ms: fc.integer({ min: 0, max: 4 * SECOND_MS }),
        event: fc.constantFrom('order', 'fill', 'sent', 'resolved', 'gap', 'nothing'),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(happenings, fc.constantFrom(0, 1, 5), (happened, everySeconds) => {
        const everyMs = everySeconds * SECOND_MS;
        let now = START;
        let look: LastLook = CALM;
        for (const { ms, event } of happened) {
          now = wallAfter(now, ms);
          if (event === 'order') look = { ...look, news: afterNews(look.news) };
          if (event === 'fill') look = { ...look, news: afterNews(look.news, execution(AAA)) };
          if (event === 'sent') look = { ...look, orders: 'unresolved' };
          if (event === 'resolved') look = { ...look, orders: 'none' };
          if (event === 'gap') look = { ...look, isReconciled: false };
          const since = msBetween(look.lookedAt ?? START, now);
          const isDue = isLookDue(look, now, everyMs);
          if (isDue) expect(since).toBeGreaterThanOrEqual(everyMs);
          else expect(since).toBeLessThan(30 * SECOND_MS);
          if (look.news.isChanged && !isDue) expect(since).toBeLessThan(5 * SECOND_MS);
          if (isDue) look = { ...look, lookedAt: now, isReconciled: true, news: NO_NEWS };
        }
      }),
    );
  });
});

describe('an order leaves without another look', () => {
  it('unless there was a gap, or an execution of its instrument has not been read', () => {
    const send = (look: Partial<LastLook>, symbol: Symbol, everyMs = 5 * SECOND_MS) =>
      maySend({ ...CALM, ...look }, symbol, everyMs);
    expect(send({}, AAA)).toBe(true);
    expect([send({ isReconciled: false }, AAA), send({ isReconciled: false }, AAA, 0)]).toEqual([
      false,
      false,
    ]);
    expect(send({ news: afterNews(NO_NEWS) }, AAA)).toBe(true);
    const news = afterNews(NO_NEWS, execution(AAA));
    expect([send({ news }, AAA), send({ news }, BBB), send({ news }, AAA, 0)]).toEqual([false, true, true]);
    expect(send({ news: afterNews(NO_NEWS, execution(null)) }, BBB)).toBe(false);
    expect([looksFirst({ ...CALM, news }, 5), looksFirst({ ...CALM, news }, 0), looksFirst(CALM, 5)]).toEqual(
      [true, false, false],
    );
    expect(looksFirst({ ...CALM, isReconciled: false }, 0)).toBe(true);
  });
});

describe('an execution that the stream reports', () => {
  const reported = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 10 });

  it('holds its instrument back until it is booked, however often it is reported, and in whatever order', () => {
    fc.assert(
      fc.property(reported, reported, fc.boolean(), (ids, bookedIds, repeats) => {
        const symbolOf = (id: number) => (id % 2 === 0 ? AAA : BBB);
        const frames = repeats ? [...ids, ...ids.toReversed()] : ids;
        let news = CALM.news;
        for (const id of frames) news = afterNews(news, execution(symbolOf(id), `E${id}`));
        const booked = new Set(bookedIds.map((id) => `E${id}` as ExecutionId));
        const look = { ...CALM, news: afterBooking(news, booked) };
        const left = ids.filter((id) => !bookedIds.includes(id)).map(symbolOf);
        for (const symbol of [AAA, BBB]) expect(maySend(look, symbol, 5)).toBe(!left.includes(symbol));
        expect(look.news.isChanged).toBe(ids.length > 0);
        expect(booksNews(look, 5)).toBe(left.length > 0);
      }),
    );
  });

  it('is never booked from the stream in a gap, nor where the lists may be read at will', () => {
    const look = { ...CALM, news: afterNews(CALM.news, execution(AAA)) };
    expect(booksNews({ ...look, isReconciled: false }, 5)).toBe(false);
    expect(booksNews(look, 0)).toBe(false);
  });
});
