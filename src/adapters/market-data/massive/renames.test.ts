import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import type { InstrumentFact } from '#engine/market/instrument-fact.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { massiveFeed } from './massive-feed.ts';

// The day of Facebook's new ticker, in the shape of the vendor's answers.
const NOW = parseInstant('2022-06-10T15:00:00Z');
const FB = 'FB' as Symbol;
const day = (text: string) => text as IsoDate;
const called = (value: string, from: string): InstrumentFact => ({
  symbol: FB,
  kind: 'ticker',
  value,
  from: day(from),
});
const FACTS = [called('FB', '2022-01-03'), called('META', '2022-06-09')];

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A vendor for which FB and META are two tickers, each with the bars of its own days. */
async function stage({ facts = FACTS, unknown = [] as readonly string[] } = {}) {
  const app = Fastify();
  closings.push(() => app.close());
  const asked: string[] = [];
  app.addHook('onRequest', async ({ url }) => void asked.push(url));
  const results = (rows: readonly unknown[]) => ({ status: 'OK', results: rows });
  app.get('/v3/reference/tickers/:ticker', ({ params }, reply) => {
    const { ticker } = params as { ticker: string };
    if (unknown.includes(ticker))
      return reply.code(404).send({ status: 'NOT_FOUND', message: 'Ticker not found.' });
    const results = {
      ticker,
      name: 'Meta Platforms',
      market: 'stocks',
      active: true,
      currency_name: 'usd',
      primary_exchange: 'XNAS',
      composite_figi: 'BBG000MM2P62',
    };
    return { status: 'OK', results };
  });
  app.get('/v1/marketstatus/upcoming', () => []);
  app.get('/v1/marketstatus/now', () => ({ serverTime: isoText(NOW), exchanges: { nyse: 'open' } }));
  app.get('/stocks/v1/splits', () => results([]));
  app.get('/stocks/v1/dividends', () =>
    results([
      { ticker: 'META', ex_dividend_date: '2022-05-02', cash_amount: 1 },
      { ticker: 'FB', ex_dividend_date: '2022-05-02', cash_amount: 2 },
      { ticker: 'META', ex_dividend_date: '2022-06-09', cash_amount: 3 },
    ]),
  );
  app.get('/v2/snapshot/locale/us/markets/stocks/tickers', ({ query }) => {
    const { tickers } = query as { tickers: string };
    const lastTrade = { p: 184, t: NOW * 1e6 };
    return { tickers: tickers.split(',').map((ticker) => ({ ticker, lastTrade })) };
  });
  app.get('/v2/aggs/ticker/:ticker/range/1/day/:from/:to', ({ params }) => {
    const { ticker, from } = params as { ticker: string; from: string };
    const close = ticker === 'META' ? 184 : 196;
    return results([{ t: newYorkInstant(day(from), 0), o: close, h: close, l: close, c: close, v: 1 }]);
  });
  const feed = massiveFeed({
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    apiKey: 'a key',
    symbols: ['FB'],
    historyFrom: day('2016-01-01'),
    requestsPerMinute: 60_000,
    now: () => NOW,
    book: { refresh: async () => undefined, facts: () => facts },
  });
  return { feed, asked };
}

it('a renamed share has its quote under the new ticker, and its bars under the one of each day', async () => {
  const { feed, asked } = await stage();
  const quotes = await feed.quotes([FB]);
  expect(quotes.ok && quotes.value.map(({ symbol, last }) => [symbol, last])).toEqual([[FB, 184]]);
  expect(asked.find((url) => url.includes('snapshot'))).toContain('tickers=META');
  const bars = await feed.dailyBars(FB, day('2022-06-07'), day('2022-06-09'));
  expect(bars.ok && bars.value.bars.map(({ date, close }) => `${date} ${close}`)).toEqual([
    '2022-06-07 196',
    '2022-06-09 184',
  ]);
});

it('the dividends of another company’s days under the ticker are left out', async () => {
  const { feed, asked } = await stage();
  const actions = await feed.corporateActions();
  expect(actions.ok && actions.value.map(({ symbol, exDate, amount }) => [symbol, exDate, amount])).toEqual([
    [FB, '2022-05-02', 2],
    [FB, '2022-06-09', 3],
  ]);
  expect(asked.find((url) => url.includes('dividends'))).toContain('ticker.any_of=FB%2CMETA');
});

it('it says what the share is: its number in the registry, its exchange and the calendar of that', async () => {
  const { feed } = await stage();
  const [vendor] = feed.vendors!;
  const stated = await vendor!.facts();
  expect(stated.ok && stated.value.map(({ kind, value }) => `${kind} ${value}`)).toEqual([
    'ticker META',
    'name Meta Platforms',
    'exchange XNAS',
    'calendar us-equity',
    'vendor_id BBG000MM2P62',
    'listing listed',
  ]);
});

it('one that the vendor lists no more stays an instrument that nobody buys, if it ever was one', async () => {
  const named = { ...called('Meta Platforms', '2022-01-03'), kind: 'name' } as const;
  const { feed } = await stage({ facts: [...FACTS, named], unknown: ['META'] });
  const listed = await feed.instruments();
  expect(listed.ok && listed.value).toMatchObject([{ symbol: FB, terms: { isTradable: false } }]);
  expect(await feed.quotes([FB])).toEqual({ ok: true, value: [] });
  const stranger = await stage({ unknown: ['META'] });
  expect(await stranger.feed.instruments()).toMatchObject({ ok: false, code: 'unknown_symbol' });
});
