import { afterEach, expect, test } from 'vitest';
import { FEEDS } from '../../../tests/conformance/market-data/feed-columns.ts';
import type { FeedHarness } from '../../../tests/conformance/market-data/feed-case.ts';
import { checkMarket } from './check-market.ts';

const alpaca = FEEDS.find(({ mode }) => mode === 'live')!;
let harness: (FeedHarness & { close(): Promise<void> }) | null = null;
afterEach(() => harness?.close());

async function findings(prepare: (opened: FeedHarness) => void) {
  harness = await alpaca.open();
  prepare(harness);
  const found = await checkMarket(harness.feed);
  return found.map(({ subject, isFit, detail }) => `${isFit ? 'ok' : 'NOT OK'} ${subject}: ${detail}`);
}

test('a market that answers is fit in every respect', async () => {
  const found = await findings(() => undefined);
  expect(found[0]).toBe(
    'ok clock: 2026-11-23T16:00:00.000Z on the market, and this machine agrees within 2 seconds',
  );
  expect(found.map((line) => line.split(':')[0])).toEqual([
    'ok clock',
    'ok instruments',
    'ok prices',
    'ok bars',
  ]);
});

test('wrong keys are named, and nothing further is asked', async () => {
  const refused = { status: 403, text: '{"message":"forbidden."}' };
  expect(await findings(({ answerWith }) => answerWith(refused))).toEqual([
    'NOT OK clock: the vendor refuses APCA_API_KEY_ID and APCA_API_SECRET_KEY: forbidden.',
  ]);
});

test('a bar that cannot be read is named with its share', async () => {
  const found = await findings(({ spoilRow }) => spoilRow(0));
  expect(found.at(-1)).toMatch(/^NOT OK bars: .*TLCO: .*at c/s);
});

test('prices that are missing or late are named', async () => {
  harness = await alpaca.open();
  const { feed, share } = harness;
  const late = await feed.quotes([share]);
  const only = { ...feed, quotes: () => Promise.resolve(late) };
  const [, , missing] = await checkMarket(only);
  expect(missing).toMatchObject({
    subject: 'prices',
    isFit: false,
    detail: expect.stringContaining('none of'),
  });
  const instruments = await feed.instruments();
  if (!late.ok || !instruments.ok) throw new Error('the stand-in does not answer');
  const old = late.value.map((quote) => ({ ...quote, at: (quote.at - 61_000) as typeof quote.at }));
  const [, , aged] = await checkMarket({
    ...feed,
    instruments: () =>
      Promise.resolve({ ok: true, value: instruments.value.filter(({ symbol }) => symbol === share) }),
    quotes: () => Promise.resolve({ ok: true, value: old }),
  });
  expect(aged).toMatchObject({ isFit: false, detail: `too old while the market is open: ${share}` });
});
