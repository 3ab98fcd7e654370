import Fastify from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import { hours } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type IsoDate, parseInstant, SECOND_MS } from '#units/instant.ts';
import { fixedPrices } from '../../../../tests/broker/fixed-prices.ts';
import { alpacaFeed } from './alpaca-feed.ts';
import { type AlpacaFeedConfig, streamUrlOf } from './config.ts';

const SPY = 'SPY' as Symbol;
const NOW = parseInstant('2026-11-24T16:00:00Z');
const KEYS = { id: 'an id', secret: 'a secret' };
const ASSET = { symbol: 'SPY', name: 'A fund', class: 'us_equity', status: 'active', tradable: true };
const day = (text: string) => text as IsoDate;

type Stage = {
  readonly config?: Partial<AlpacaFeedConfig>;
  readonly streamed?: boolean;
  readonly standIn?: Partial<Parameters<typeof mountAlpacaMarketData>[1]>;
  /** What the vendor answers to an address that begins so, instead of the stand-in. */
  readonly answers?: Readonly<Record<string, unknown>>;
};

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function stage({ config, streamed = false, standIn, answers = {} }: Stage = {}) {
  const app = Fastify();
  closings.push(() => app.close());
  const asked: string[] = [];
  app.addHook('onRequest', (request, reply, done) => {
    asked.push(request.url);
    const own = Object.keys(answers).find((start) => request.url.startsWith(start));
    if (own === undefined) return done();
    return void reply.send(answers[own]);
  });
  mountAlpacaMarketData(app, { prices: fixedPrices(), now: () => NOW, keys: KEYS, ...standIn });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const feed = alpacaFeed({
    dataUrl: address,
    tradingUrl: address,
    keyId: KEYS.id,
    secretKey: KEYS.secret,
    feed: 'iex',
    symbols: ['SPY'],
    rateLimits: { requestsPerSecond: 1_000, spacingMs: {}, backOffMs: 1_000 },
    now: () => NOW,
    ...(streamed && { streamUrl: streamUrlOf({ dataUrl: address, feed: config?.feed ?? 'iex' }) }),
    ...config,
  });
  closings.unshift(async () => feed.stop?.());
  return { feed, asked };
}

it.each([
  [-3, 'clock_off'],
  [-1, null],
  [1, null],
  [3, 'clock_off'],
])('with the vendor’s clock off by %d seconds, time and prices are %s', async (seconds, code) => {
  const { feed } = await stage({ standIn: { now: () => instant(NOW + seconds * SECOND_MS) } });
  for (const answer of [await feed.clock(), await feed.quotes([SPY])])
    expect(answer.ok ? null : answer.code).toBe(code);
});

it('asks for snapshots of the feed of the settings, once for all who ask at about the same time', async () => {
  const { feed, asked } = await stage();
  await Promise.all([feed.quotes([SPY]), feed.quotes([SPY])]);
  await feed.quotes([SPY]);
  expect(asked.filter((url) => url.includes('snapshots'))).toEqual([
    '/v2/stocks/snapshots?symbols=SPY&feed=iex',
  ]);
});

it('dates a quote by its trade, and takes the last price where a side of the book is empty', async () => {
  const snapshot = {
    latestTrade: { t: '2026-11-24T15:59:30.123456789Z', p: 100.5 },
    latestQuote: { t: '2026-11-24T15:59:59Z', bp: 100.4, ap: 0 },
  };
  const { feed } = await stage({ answers: { '/v2/stocks/snapshots': { SPY: snapshot } } });
  const at = parseInstant('2026-11-24T15:59:30.123Z');
  expect(await feed.quotes([SPY])).toEqual({
    ok: true,
    value: [{ symbol: SPY, last: 100.5, bid: 100.4, ask: 100.5, open: true, at }],
  });
});

it.each(['by request', 'by the stream'])(
  'dates the prices of the delayed feed by their trade, %s',
  async (how) => {
    let now = NOW;
    const [streamed, config] = [how === 'by the stream', { feed: 'delayed' as const, now: () => now }];
    const { feed, asked } = await stage({ config, standIn: { now: () => now }, streamed });
    const askedFor = () => asked.filter((url) => url.includes('snapshots')).length;
    const ask = async () => {
      now = instant(now + 2 * SECOND_MS);
      const before = askedFor();
      const answer = await feed.quotes([SPY]);
      return { quote: answer.ok ? answer.value[0] : undefined, isStreamed: askedFor() === before };
    };
    await vi.waitFor(async () => expect((await ask()).isStreamed).toBe(streamed), {
      timeout: 4_000,
      interval: 100,
    });
    const { quote } = await ask();
    expect(now - quote!.at).toBeGreaterThanOrEqual(15 * 60 * SECOND_MS);
    expect(now - quote!.at).toBeLessThanOrEqual(15 * 60 * SECOND_MS + 10 * SECOND_MS);
    expect(quote).toMatchObject({ delayMs: 15 * 60 * SECOND_MS, open: true });
    expect(await feed.clock()).toMatchObject({ value: { delayMs: 15 * 60 * SECOND_MS } });
  },
);

it.each([
  ['has not traded', { '/v2/stocks/snapshots': { SPY: { latestTrade: null, latestQuote: null } } }],
  ['has no snapshot', { '/v2/stocks/snapshots': {} }],
  ['is not tradable', { '/v2/assets/SPY': { ...ASSET, tradable: false } }],
  ['is delisted', { '/v2/assets/SPY': { ...ASSET, status: 'inactive' } }],
])('has no quote of a share that %s', async (_why, answers) => {
  const { feed } = await stage({ answers });
  expect(await feed.quotes([SPY])).toEqual({ ok: true, value: [] });
});

it.each([
  ['2026-11-25', 0],
  ['2026-11-24', 0],
  ['2026-10-26', 0],
  ['2026-10-20', 1],
])('after a spin-off on %s there are %d quotes of the share', async (date, quotes) => {
  const spinOff = { source_symbol: 'SPY', new_symbol: 'NEW', ex_date: date };
  const body = { corporate_actions: { spin_offs: [spinOff] }, next_page_token: null };
  const { feed } = await stage({ answers: { '/v1/corporate-actions': body } });
  const answer = await feed.quotes([SPY]);
  expect(answer.ok && answer.value.length).toBe(quotes);
});

it('lets a dividend that cannot be read spoil its own share only', async () => {
  const rows = [
    { symbol: 'SPY', ex_date: '2020-03-20', rate: 1.4, currency: 'EUR' },
    { symbol: 'USDJPY', ex_date: '2020-03-20', rate: 1.5 },
  ];
  const body = { corporate_actions: { cash_dividends: rows }, next_page_token: null };
  const { feed } = await stage({ answers: { '/v1/corporate-actions': body } });
  expect(await feed.quotes([SPY])).toEqual({ ok: true, value: [] });
  expect(await feed.corporateActions()).toMatchObject({
    ok: true,
    value: [{ symbol: 'USDJPY', amount: 1.5 }],
  });
});

it('takes the vendor’s word for a day on which the exchange is closed without a rule', async () => {
  const prices = { ...fixedPrices(), dailyBars: () => ['2026-11-19', '2026-11-20', '2026-11-23'].map(barOn) };
  const { feed } = await stage({ standIn: { prices, closedOn: new Set([day('2026-11-20')]) } });
  const answer = await feed.dailyBars(SPY, day('2026-11-19'), day('2026-11-23'));
  expect(answer.ok && answer.value).toEqual({
    bars: [barOn('2026-11-19'), barOn('2026-11-23')],
    malformed: null,
  });
});

it('refuses a bar of a day without a session, and a list that repeats a page', async () => {
  const bar = { t: '2026-11-22T05:00:00Z', o: 1, h: 1, l: 1, c: 1, v: 1 };
  const ask = async (bars: object) => {
    const { feed } = await stage({ answers: { '/v2/stocks/bars': bars } });
    return feed.dailyBars(SPY, day('2026-11-20'), day('2026-11-23'));
  };
  expect(await ask({ bars: { SPY: [bar] }, next_page_token: null })).toMatchObject({
    ok: true,
    value: { bars: [], malformed: expect.stringContaining('2026-11-22') },
  });
  expect(await ask({ bars: {}, next_page_token: 'again' })).toMatchObject({ ok: false, code: 'malformed' });
});

it('names the setting when a share is unknown, or is none', async () => {
  const unknown = await (await stage({ config: { symbols: ['SPY', 'NOBODY'] } })).feed.instruments();
  expect(unknown).toMatchObject({ ok: false, code: 'unknown_symbol' });
  expect(!unknown.ok && unknown.message).toContain('NOBODY: correct MARKET_SYMBOLS');
  const answers = { '/v2/assets/SPY': { ...ASSET, class: 'crypto' } };
  const coin = await (await stage({ answers })).feed.instruments();
  expect(coin).toMatchObject({ ok: false, code: 'refused' });
  expect(!coin.ok && coin.message).toContain('SPY is crypto');
});

it('names the setting when the plan lacks the feed', async () => {
  const quotes = await (await stage({ config: { feed: 'sip' } })).feed.quotes([SPY]);
  expect(quotes).toMatchObject({ ok: false, code: 'not_subscribed' });
  expect(!quotes.ok && quotes.message).toContain('ALPACA_FEED');
});

function barOn(text: string): Bar {
  const { date, opensAt, closesAt } = hours('us-equity', day(text));
  return { date, openedAt: opensAt, closedAt: closesAt, open: 5, high: 6, low: 4, close: 5, volume: 7 };
}
