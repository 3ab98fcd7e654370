import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import type { InstrumentFact } from '#engine/market/instrument-fact.ts';
import { renamedTickers, tickersOf } from '#engine/market/tickers.ts';
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
const META_FIGI = 'BBG000MM2P62';
/** As the vendor describes its answer, the newest first. */
const EVENTS = [
  { type: 'ticker_change', date: '2022-06-09', ticker_change: { ticker: 'META' } },
  { type: 'ticker_change', date: '2012-05-18', ticker_change: { ticker: 'FB' } },
];
const stated = (kind: 'name' | 'vendor_id', value: string): InstrumentFact => ({
  symbol: FB,
  kind,
  value,
  from: day('2022-01-03'),
});
const FACTS = [called('FB', '2022-01-03'), called('META', '2022-06-09')];

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A vendor for which FB and META are two tickers, each with the bars of its own days. */
async function stage({
  facts = FACTS as readonly InstrumentFact[],
  unknown = [] as readonly string[],
  isNaming = false,
  events = EVENTS as unknown,
  figis = {} as Readonly<Record<string, string>>,
} = {}) {
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
      composite_figi: figis[ticker] ?? META_FIGI,
    };
    return { status: 'OK', results };
  });
  app.get('/vX/reference/tickers/:id/events', ({ params, query }, reply) => {
    expect(query).toEqual({ types: 'ticker_change' });
    if ((params as { id: string }).id !== META_FIGI)
      return reply.code(404).send({ status: 'NOT_FOUND', message: 'Events not found.' });
    return { status: 'OK', request_id: 'x', results: { name: 'Meta Platforms, Inc.', events } };
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
    isNaming,
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

it('where it names the shares, a rename is followed on its day, and the days before keep their ticker', async () => {
  const known = [called('FB', '2022-01-03'), stated('vendor_id', META_FIGI)];
  const { feed } = await stage({ facts: known, isNaming: true, unknown: ['FB'] });
  const listed = await feed.vendors![0]!.facts();
  expect(listed.ok && listed.value.slice(0, 2).map(({ value }) => value)).toEqual(['META', 'Meta Platforms']);
  const changes = await feed.vendors![0]!.changes!();
  expect(changes).toEqual({
    ok: true,
    value: [
      { symbol: FB, event: 'rename', date: '2012-05-18', ticker: 'FB' },
      { symbol: FB, event: 'rename', date: '2022-06-09', ticker: 'META' },
    ],
  });
  const facts = [...known, ...renamedTickers(known, changes.ok ? changes.value : [])];
  expect(facts.filter(({ kind }) => kind === 'ticker').map(({ value, from }) => `${value} ${from}`)).toEqual([
    'FB 2022-01-03',
    'META 2022-06-09',
  ]);
});

it('a share that we know by its new ticker alone has its former one for the days before', async () => {
  const known = [called('META', '2022-06-10'), stated('vendor_id', META_FIGI)];
  const { feed } = await stage({ facts: known, isNaming: true });
  const changes = await feed.vendors![0]!.changes!();
  const { tickerOn } = tickersOf([...known, ...renamedTickers(known, changes.ok ? changes.value : [])]);
  expect(['2021-01-04', '2022-06-08', '2022-06-09'].map((date) => tickerOn(FB, day(date)))).toEqual([
    'FB',
    'FB',
    'META',
  ]);
});

it('a share without events was never renamed, nor is one with its first ticker alone', async () => {
  const stranger = await stage({ isNaming: true, facts: [], figis: { FB: 'BBG000000001' } });
  expect(await stranger.feed.vendors![0]!.changes!()).toEqual({ ok: true, value: [] });
  const { feed } = await stage({ isNaming: true, facts: [], events: EVENTS.slice(1) });
  expect(await feed.vendors![0]!.changes!()).toEqual({ ok: true, value: [] });
});

it('an event that cannot be read stops its share, and so does a ticker that is another company’s', async () => {
  const unread = await stage({ isNaming: true, events: [{ type: 'ticker_change', date: 'soon' }] });
  expect(await unread.feed.vendors![0]!.changes!()).toMatchObject({
    value: [{ symbol: FB, event: 'unread' }],
  });
  expect(await unread.feed.quotes([FB])).toEqual({ ok: true, value: [] });
  const known = [
    called('FB', '2022-01-03'),
    stated('vendor_id', META_FIGI),
    stated('name', 'Meta Platforms'),
  ];
  const figis = { FB: 'BBG000000002' };
  const reused = await stage({ isNaming: true, facts: known, figis, events: EVENTS.slice(1) });
  expect(await reused.feed.vendors![0]!.changes!()).toMatchObject({
    value: [{ symbol: FB, event: 'reused_ticker' }],
  });
  expect(await reused.feed.quotes([FB])).toEqual({ ok: true, value: [] });
  expect(await reused.feed.instruments()).toMatchObject({ value: [{ name: 'Meta Platforms' }] });
});

it('where another vendor names the shares it is not asked for renames', async () => {
  const { feed, asked } = await stage();
  expect(feed.vendors![0]!.changes).toBeUndefined();
  await feed.quotes([FB]);
  expect(asked.some((url) => url.includes('/events'))).toBe(false);
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
