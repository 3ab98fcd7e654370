import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { hours } from '#engine/market/calendar.ts';
import { mountMassive } from '#sandbox/massive/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { fixedPrices } from '../../../../tests/broker/fixed-prices.ts';
import type { MassiveFeedConfig } from './config.ts';
import { massiveFeed } from './massive-feed.ts';

const SPY = 'SPY' as Symbol;
const NOW = parseInstant('2026-11-24T16:00:00Z');
const KEY = 'a key';
const day = (text: string) => text as IsoDate;
const TICKER = { ticker: 'SPY', name: 'A fund', market: 'stocks', active: true, currency_name: 'usd' };

type Stage = {
  readonly config?: Partial<MassiveFeedConfig>;
  readonly standIn?: Partial<Parameters<typeof mountMassive>[1]>;
  /** What the vendor answers to an address that begins so, instead of the stand-in. */
  readonly answers?: Readonly<Record<string, unknown>>;
};

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function stage({ config, standIn, answers = {} }: Stage = {}) {
  const app = Fastify();
  closings.push(() => app.close());
  const asked: string[] = [];
  app.addHook('onRequest', (request, reply, done) => {
    asked.push(request.url);
    const own = Object.keys(answers).find((start) => request.url.startsWith(start));
    if (own === undefined) return done();
    return void reply.send(answers[own]);
  });
  mountMassive(app, { prices: fixedPrices(), now: () => NOW, apiKey: KEY, ...standIn });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const feed = massiveFeed({
    url,
    apiKey: KEY,
    symbols: ['SPY'],
    historyFrom: day('2016-01-01'),
    requestsPerMinute: 60_000,
    now: () => NOW,
    ...config,
  });
  return { feed, asked };
}

it('follows a next page by its path alone, so that the key stays with the vendor it was made for', async () => {
  const bar = (text: string) => ({ t: hours('us-equity', day(text)).opensAt, o: 5, h: 6, l: 4, c: 5, v: 7 });
  const next_url = 'https://elsewhere.example/v2/aggs/second?cursor=abc';
  const { feed, asked } = await stage({
    answers: {
      '/v2/aggs/ticker': { status: 'OK', results: [bar('2026-11-19')], next_url },
      '/v2/aggs/second': { status: 'DELAYED', results: [bar('2026-11-20')] },
    },
  });
  const answer = await feed.dailyBars(SPY, day('2026-11-19'), day('2026-11-23'));
  expect(answer.ok && answer.value.bars.map(({ date }) => date)).toEqual(['2026-11-19', '2026-11-20']);
  expect(asked.at(-1)).toBe('/v2/aggs/second?cursor=abc');
});

it('refuses a list that repeats a page, and a bar of a day without a session', async () => {
  const ask = async (body: object) => {
    const { feed } = await stage({ answers: { '/v2/aggs': body } });
    return feed.dailyBars(SPY, day('2026-11-19'), day('2026-11-23'));
  };
  const again = { status: 'OK', next_url: 'https://api.massive.com/v2/aggs/again?cursor=1' };
  expect(await ask(again)).toMatchObject({ ok: false, code: 'malformed' });
  const sunday = { t: parseInstant('2026-11-22T05:00:00Z'), o: 1, h: 1, l: 1, c: 1, v: 1 };
  expect(await ask({ status: 'OK', results: [sunday] })).toMatchObject({
    ok: true,
    value: { bars: [], malformed: expect.stringContaining('2026-11-22') },
  });
});

it('cuts a half day that no rule names by the hours of the vendor', async () => {
  const hour = (clock: string) => `2026-11-23T${clock}:00.000Z`;
  const half = { exchange: 'NYSE', date: '2026-11-23', status: 'early-close', open: hour('14:30') };
  const bar = { t: parseInstant('2026-11-23T05:00:00Z'), o: 5, h: 6, l: 4, c: 5, v: 7 };
  const { feed } = await stage({
    answers: {
      '/v1/marketstatus/upcoming': [{ ...half, close: hour('18:00') }],
      '/v2/aggs': { status: 'OK', results: [bar] },
    },
  });
  const answer = await feed.dailyBars(SPY, day('2026-11-23'), day('2026-11-23'));
  expect(answer.ok && answer.value.bars[0]?.closedAt).toBe(parseInstant('2026-11-23T18:00:00Z'));
});

it.each([
  ['has not traded', { '/v2/snapshot': { tickers: [{ ticker: 'SPY', lastTrade: null }] } }],
  ['has no snapshot', { '/v2/snapshot': { tickers: [] } }],
  ['is no longer listed', { '/v3/reference/tickers': { results: { ...TICKER, active: false } } }],
  [
    'has a dividend in another currency',
    {
      '/stocks/v1/dividends': {
        status: 'OK',
        results: [{ ticker: 'SPY', ex_dividend_date: '2026-03-20', cash_amount: 1, currency: 'CAD' }],
      },
    },
  ],
])('has no quote of a share that %s', async (_why, answers) => {
  const { feed } = await stage({ answers });
  expect(await feed.quotes([SPY])).toEqual({ ok: true, value: [] });
});

it('names the setting when a share is unknown or is none, and when the plan lacks its history', async () => {
  const unknown = await (await stage({ config: { symbols: ['SPY', 'NOBODY'] } })).feed.instruments();
  expect(!unknown.ok && unknown.message).toContain('NOBODY: correct MARKET_SYMBOLS');
  const answers = { '/v3/reference/tickers': { results: { ...TICKER, market: 'crypto' } } };
  const coin = await (await stage({ answers })).feed.instruments();
  expect(!coin.ok && coin.message).toContain('SPY is of the market crypto');
  const { feed } = await stage({ standIn: { plan: 'basic' } });
  const old = await feed.dailyBars(SPY, day('2016-01-01'), day('2026-11-23'));
  expect(old).toMatchObject({ ok: false, code: 'not_subscribed' });
  expect(!old.ok && old.message).toContain('MASSIVE_HISTORY_FROM');
  expect(await feed.quotes([SPY])).toMatchObject({ ok: false, code: 'not_subscribed' });
});
