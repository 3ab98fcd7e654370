// What the stream of a borrowed session says, and for how long it counts.
import { expect, it } from 'vitest';
import type { BrokerMarketData, BrokerQuote, QuoteNews } from '#ports/broker.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, MINUTE_MS, parseInstant, SECOND_MS } from '#units/instant.ts';
import { interactiveBrokersFeed } from './interactive-brokers-feed.ts';

const AAA = 'AAA' as Symbol;
const BBB = 'BBB' as Symbol;
const OPEN = parseInstant('2026-02-03T15:00:00Z');
const FRIDAY_CLOSE = parseInstant('2026-01-30T21:00:00Z');
const price = (symbol: Symbol, last: number, status: BrokerQuote['status'] = 'live') => ({
  symbol,
  last,
  bid: last - 0.01,
  ask: last + 0.01,
  status,
});

function lentFeed({ canWatch = true, opensAt = OPEN } = {}) {
  let now: number = opensAt;
  let asked = 0;
  let told: readonly BrokerQuote[] = [price(AAA, 10), price(BBB, 20)];
  let listeners: ((news: QuoteNews) => void)[] = [];
  let prices: BrokerMarketData | null = null;
  const open = () => {
    const watch: NonNullable<BrokerMarketData['watch']> = async (_symbols, hear) => {
      listeners.push(hear);
      return { outcome: 'ok', value: () => void (listeners = listeners.filter((one) => one !== hear)) };
    };
    prices = {
      ...(canWatch && { watch }),
      quotes: async () => {
        asked += 1;
        return { outcome: 'ok', value: told };
      },
      dailyBars: async () => ({ outcome: 'ok', value: { bars: [], malformed: null } }),
      search: async () => ({ outcome: 'ok', value: [] }),
    };
  };
  open();
  const feed = interactiveBrokersFeed({
    symbols: [AAA, BBB],
    borrow: async () => prices,
    now: () => now,
  });
  return {
    feed,
    reopen: open,
    close: () => void (prices = null),
    asked: () => asked,
    listeners: () => listeners.length,
    tell: (...quotes: readonly BrokerQuote[]) => void (told = quotes),
    hear: (news: QuoteNews) => listeners.forEach((hear) => hear(news)),
    pass: (ms: number) => void (now += ms),
    now: () => instant(now),
    async read(symbol: Symbol) {
      const answer = await feed.quotes([symbol]);
      if (!answer.ok) return answer.code;
      return answer.value[0] ?? null;
    },
  };
}

/** A stream that has told what it is asked for, and a request after that. */
async function streaming(lent: ReturnType<typeof lentFeed>): Promise<void> {
  await lent.read(AAA);
  lent.hear({ kind: 'alive' });
  lent.pass(6 * SECOND_MS);
  lent.hear({ kind: 'alive' });
  await lent.read(AAA);
}

it('takes a price from the stream without a request, as of its last sign of life', async () => {
  const lent = lentFeed();
  await streaming(lent);
  const asked = lent.asked();
  lent.pass(2 * SECOND_MS);
  lent.hear({ kind: 'quote', quote: price(AAA, 11) });
  const heardAt = lent.now();
  lent.pass(5 * SECOND_MS);
  expect(await lent.read(AAA)).toMatchObject({ last: 11, bid: 10.99, ask: 11.01, open: true, at: heardAt });
  expect(await lent.read(BBB)).toMatchObject({ last: 20, at: heardAt });
  expect(lent.asked()).toBe(asked);
});

it('asks when the stream has been silent for longer than its heartbeat', async () => {
  const lent = lentFeed();
  await streaming(lent);
  const asked = lent.asked();
  lent.pass(11 * SECOND_MS);
  await lent.read(AAA);
  expect(lent.asked()).toBe(asked);
  lent.pass(2 * SECOND_MS);
  lent.tell(price(AAA, 12), price(BBB, 20));
  expect(await lent.read(AAA)).toMatchObject({ last: 12, at: lent.now() });
  expect(lent.asked()).toBe(asked + 1);
});

it('forgets what a broken stream said, and asks until it has been whole since before a request', async () => {
  const lent = lentFeed();
  await streaming(lent);
  lent.hear({ kind: 'quote', quote: price(AAA, 11) });
  lent.hear({ kind: 'gap' });
  lent.pass(6 * SECOND_MS);
  const asked = lent.asked();
  expect(await lent.read(AAA)).toMatchObject({ last: 10 });
  expect(lent.asked()).toBe(asked + 1);
  lent.pass(SECOND_MS);
  lent.hear({ kind: 'quote', quote: price(AAA, 13) });
  lent.pass(6 * SECOND_MS);
  lent.hear({ kind: 'alive' });
  await lent.read(AAA);
  expect(lent.asked()).toBe(asked + 2);
  lent.pass(6 * SECOND_MS);
  lent.hear({ kind: 'alive' });
  await lent.read(AAA);
  expect(lent.asked()).toBe(asked + 2);
});

it('asks every thirty seconds all the same: a frame may be lost without a trace', async () => {
  const lent = lentFeed();
  await streaming(lent);
  const asked = lent.asked();
  for (let tens = 0; tens < 4; tens++) {
    lent.pass(10 * SECOND_MS);
    lent.hear({ kind: 'alive' });
    await lent.read(AAA);
  }
  expect(lent.asked()).toBe(asked + 1);
});

it('watches a session that was opened anew, and the old one no more', async () => {
  const lent = lentFeed();
  await streaming(lent);
  expect(lent.listeners()).toBe(1);
  lent.reopen();
  lent.pass(40 * SECOND_MS);
  await lent.read(AAA);
  expect(lent.listeners()).toBe(1);
  lent.feed.stop!();
  expect(lent.listeners()).toBe(0);
});

it('has no price without a session, and one by request where a session has no stream', async () => {
  const lent = lentFeed({ canWatch: false });
  expect(await lent.read(AAA)).toMatchObject({ last: 10 });
  lent.pass(6 * SECOND_MS);
  lent.close();
  expect(await lent.read(AAA)).toBe('unreachable');
});

it('dates a price by what the vendor says of it: delayed, halted, of an earlier session', async () => {
  const lent = lentFeed();
  lent.tell(price(AAA, 10, 'delayed'), price(BBB, 20, 'halted'));
  expect(await lent.read(AAA)).toMatchObject({ open: true, at: lent.now() - 15 * MINUTE_MS });
  expect(await lent.read(BBB)).toMatchObject({ halt: { since: lent.now(), said: '' } });
  const closed = lentFeed({ opensAt: parseInstant('2026-02-01T15:00:00Z') });
  closed.tell(price(AAA, 10, 'close'));
  expect(await closed.read(AAA)).toMatchObject({ open: false, at: FRIDAY_CLOSE });
});
