import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { InstrumentFact } from '#engine/market/instrument-fact.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { alpacaFeed } from './alpaca-feed.ts';
import type { AlpacaFeedConfig } from './config.ts';

// The day of Facebook's new ticker, in the shape of the vendor's answers.
const NOW = parseInstant('2022-06-09T15:00:00Z');
const FB = 'FB' as Symbol;
const day = (text: string) => text as IsoDate;
const fact = (kind: InstrumentFact['kind'], value: string, from: string): InstrumentFact => ({
  symbol: FB,
  kind,
  value,
  from: day(from),
});
const BEFORE = [fact('ticker', 'FB', '2022-01-03'), fact('vendor_id', 'id-of-facebook', '2022-01-03')];
const RENAMED = [...BEFORE, fact('ticker', 'META', '2022-06-09')];
const RENAME = { old_symbol: 'FB', new_symbol: 'META', process_date: '2022-06-09' };

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

type Stage = {
  readonly facts: readonly InstrumentFact[];
  readonly actions?: Readonly<Record<string, readonly unknown[]>>;
  readonly ids?: Readonly<Record<string, string>>;
  /** Tickers that the vendor does not know, or at another exchange. */
  readonly unknown?: readonly string[];
  readonly exchange?: string;
  readonly config?: Partial<AlpacaFeedConfig>;
};

/** A vendor that knows FB and META as two shares, each with an id, a price and a bar of its own. */
async function stage({ facts, actions = {}, ids = {}, unknown = [], exchange = 'NASDAQ', config }: Stage) {
  const app = Fastify();
  closings.push(() => app.close());
  const asked: string[] = [];
  const price = (symbol: string) => (symbol === 'META' ? 184 : 196);
  app.addHook('onRequest', async ({ url }) => void asked.push(url));
  app.get('/v2/assets/:symbol', ({ params }, reply) => {
    const { symbol } = params as { symbol: string };
    if (unknown.includes(symbol)) return reply.code(404).send({ message: `asset not found for ${symbol}` });
    const id = ids[symbol] ?? 'id-of-facebook';
    return {
      id,
      symbol,
      name: `named ${symbol}`,
      exchange,
      class: 'us_equity',
      status: 'active',
      tradable: true,
      shortable: false,
    };
  });
  app.get('/v2/clock', () => ({
    timestamp: '2022-06-09T15:00:00Z',
    is_open: true,
    next_open: '2022-06-10T13:30:00Z',
    next_close: '2022-06-09T20:00:00Z',
  }));
  app.get('/v2/calendar', () =>
    ['2022-06-08', '2022-06-09', '2022-06-10'].map((date) => ({ date, open: '09:30', close: '16:00' })),
  );
  app.get('/v1/corporate-actions', () => ({ corporate_actions: actions, next_page_token: null }));
  app.get('/v2/stocks/snapshots', ({ query }) => {
    const { symbols } = query as { symbols: string };
    return Object.fromEntries(
      symbols.split(',').map((one) => [one, { latestTrade: { t: '2022-06-09T14:59:59Z', p: price(one) } }]),
    );
  });
  app.get('/v2/stocks/bars', ({ query }) => {
    const { symbols } = query as { symbols: string };
    const close = price(symbols);
    const bar = { t: '2022-06-08T04:00:00Z', o: close, h: close, l: close, c: close, v: 1 };
    return { bars: { [symbols]: [bar] }, next_page_token: null };
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const feed = alpacaFeed({
    dataUrl: address,
    tradingUrl: address,
    keyId: 'an id',
    secretKey: 'a secret',
    feed: 'iex',
    symbols: ['FB'],
    rateLimits: { requestsPerSecond: 1_000, spacingMs: {}, backOffMs: 1_000 },
    now: () => NOW,
    book: { refresh: async () => undefined, facts: () => facts },
    ...config,
  });
  return { feed, asked };
}

describe('a share with another ticker', () => {
  it('is asked about by the ticker and answered about by its symbol: quote, bars, listing', async () => {
    const { feed, asked } = await stage({ facts: RENAMED, actions: { name_changes: [RENAME] } });
    const quotes = await feed.quotes([FB]);
    expect(quotes.ok && quotes.value.map(({ symbol, last }) => [symbol, last])).toEqual([[FB, 184]]);
    const bars = await feed.dailyBars(FB, day('2022-06-08'), day('2022-06-08'));
    expect(bars.ok && bars.value.bars.map(({ close }) => close)).toEqual([184]);
    const listed = await feed.instruments();
    expect(listed.ok && listed.value[0]).toMatchObject({
      symbol: FB,
      name: 'named META',
      terms: { isShortable: false },
    });
    expect(
      asked.filter((url) => /snapshots|bars|assets/.test(url)).every((url) => url.includes('META')),
    ).toBe(true);
    const stated = await feed.vendors![0]!.facts();
    expect(stated.ok && stated.value).toContainEqual({ symbol: FB, kind: 'ticker', value: 'META' });
  });

  it('keeps the splits and dividends of each ticker in its days, and no other company’s', async () => {
    const paid = (symbol: string, ex_date: string) => ({ symbol, ex_date, rate: 1 });
    const cash_dividends = [
      paid('FB', '2022-05-02'),
      paid('META', '2022-05-02'),
      paid('META', '2022-06-09'),
      paid('FB', '2022-06-10'),
    ];
    const { feed, asked } = await stage({ facts: RENAMED, actions: { cash_dividends } });
    const actions = await feed.corporateActions();
    expect(actions.ok && actions.value.map(({ symbol, exDate }) => `${symbol} ${exDate}`)).toEqual([
      'FB 2022-05-02',
      'FB 2022-06-09',
    ]);
    expect(asked.find((url) => url.includes('corporate-actions'))).toContain('symbols=FB%2CMETA');
  });
});

describe('a rename', () => {
  it('is reported of the share that has the old ticker the day before, and stops nothing', async () => {
    const { feed } = await stage({ facts: BEFORE, actions: { name_changes: [RENAME] } });
    const changes = await feed.vendors![0]!.changes!();
    expect(changes).toEqual({
      ok: true,
      value: [{ symbol: FB, event: 'rename', date: '2022-06-09', ticker: 'META' }],
    });
    const quotes = await feed.quotes([FB]);
    expect(quotes.ok && quotes.value).toHaveLength(1);
  });

  it('of a company that had the ticker before us is not ours', async () => {
    const others = { old_symbol: 'META', new_symbol: 'METV', process_date: '2022-01-31' };
    const { feed } = await stage({ facts: RENAMED, actions: { name_changes: [others] } });
    expect(await feed.vendors![0]!.changes!()).toEqual({ ok: true, value: [] });
  });
});

describe('a ticker that is handed on without a rename', () => {
  it('stops the share: the vendor’s key is another one', async () => {
    const { feed } = await stage({ facts: BEFORE, ids: { FB: 'id-of-a-fund' } });
    expect(await feed.vendors![0]!.changes!()).toMatchObject({
      value: [{ symbol: FB, event: 'reused_ticker' }],
    });
    expect(await feed.quotes([FB])).toEqual({ ok: true, value: [] });
  });

  it('may be listed under a symbol of its own, but not as two shares', async () => {
    const config = { symbols: ['META.2'], firstTickers: { 'META.2': 'META' } };
    const own = await stage({ facts: BEFORE, config });
    const listed = await own.feed.instruments();
    expect(listed.ok && listed.value.map(({ symbol, name }) => [symbol, name])).toEqual([
      ['META.2', 'named META'],
    ]);
    const both = await stage({ facts: RENAMED, config: { ...config, symbols: ['FB', 'META.2'] } });
    expect(await both.feed.instruments()).toMatchObject({ ok: false, code: 'refused' });
  });
});

describe('a share that the vendor lists no more', () => {
  const known = [...BEFORE, fact('name', 'Facebook', '2022-01-03')];

  it('stays an instrument that nobody buys, and says so as a fact', async () => {
    const { feed } = await stage({ facts: known, unknown: ['FB'] });
    const listed = await feed.instruments();
    expect(listed.ok && listed.value).toMatchObject([
      { symbol: FB, name: 'Facebook', terms: { isTradable: false } },
    ]);
    const stated = await feed.vendors![0]!.facts();
    expect(stated.ok && stated.value).toContainEqual({ symbol: FB, kind: 'listing', value: 'ended' });
    expect(await feed.quotes([FB])).toEqual({ ok: true, value: [] });
  });

  it('is a mistake in the settings when it never was listed', async () => {
    const { feed } = await stage({ facts: [], unknown: ['FB'] });
    expect(await feed.instruments()).toMatchObject({ ok: false, code: 'unknown_symbol' });
  });

  it('leaves its ticker to the company that takes it, which is asked and answered about apart', async () => {
    const ended = [...known, fact('listing', 'ended', '2022-06-01')];
    const config = { symbols: ['FB', 'FB.2'], firstTickers: { 'FB.2': 'FB' } };
    const { feed } = await stage({ facts: ended, config, ids: { FB: 'id-of-a-fund' } });
    const listed = await feed.instruments();
    expect(listed.ok && listed.value.map(({ symbol, name }) => [symbol, name])).toEqual([
      ['FB', 'Facebook'],
      ['FB.2', 'named FB'],
    ]);
    const quotes = await feed.quotes([FB, 'FB.2' as Symbol]);
    expect(quotes.ok && quotes.value.map(({ symbol }) => symbol)).toEqual(['FB.2']);
  });
});

describe('the exchange of a share', () => {
  it('names the calendar of its trading days', async () => {
    const { feed } = await stage({ facts: [] });
    const stated = await feed.vendors![0]!.facts();
    expect(stated.ok && stated.value).toContainEqual({ symbol: FB, kind: 'calendar', value: 'us-equity' });
  });

  it('is refused when its days are not those of the market', async () => {
    const { feed } = await stage({ facts: [], exchange: 'XTKS' });
    expect(await feed.instruments()).toMatchObject({ ok: false, code: 'refused' });
  });
});
