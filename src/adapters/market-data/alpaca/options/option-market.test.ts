import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { InstrumentFact } from '#engine/market/instrument-fact.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type IsoDate, parseInstant, SECOND_MS } from '#units/instant.ts';
import { vendorNames } from '../../vendor-names.ts';
import { reading } from '../../read-answer.ts';
import type { Requests } from '../requests.ts';
import { parseOptionPage } from './option-listing.ts';
import { optionMarket } from './option-market.ts';

const NOW = parseInstant('2026-11-24T16:00:00Z');
const PRICE = { trade: { price: 600, at: NOW }, bid: 600, ask: 600, quotedAt: NOW };
const CALL = 'SPY.261218C610' as Symbol;
const row = {
  id: 'a key',
  symbol: 'SPY261218C00610000',
  name: 'SPY Dec 18 2026 610 Call',
  status: 'active',
  tradable: true,
  expiration_date: '2026-12-18',
  root_symbol: 'SPY',
  underlying_symbol: 'SPY',
  type: 'call',
  style: 'american',
  strike_price: '610',
  size: '100',
};
const quoted = (more: object) => ({ snapshots: { SPY261218C00610000: more } });
const BOOK = { t: '2026-11-24T15:59:55Z', bp: 4.1, ap: 4.3 };

type Staged = {
  readonly rows?: readonly object[];
  readonly snapshots?: object;
  readonly facts?: readonly InstrumentFact[];
  readonly clock?: { now: number };
};

function stage({
  rows = [row],
  snapshots = quoted({ latestQuote: BOOK }),
  facts,
  clock = { now: NOW },
}: Staged = {}) {
  const asked: { path: string; query: Readonly<Record<string, string>> }[] = [];
  const ask = async <Value>(
    path: string,
    query: Readonly<Record<string, string>>,
    parse: (body: unknown) => Value,
  ): Promise<MarketDataAnswer<Value>> => {
    asked.push({ path, query });
    if (path.includes('snapshots')) return reading(() => parse(snapshots));
    const option_contracts = rows.filter(
      (one) => 'expiration_date' in one && one.expiration_date === query.expiration_date,
    );
    return reading(() => parse({ option_contracts, next_page_token: null }));
  };
  const requests: Requests = { data: ask, trading: ask };
  const book = facts && { facts: () => facts, refresh: async () => undefined };
  const names = vendorNames({ symbols: ['SPY'], ...(book && { book }) }, () => clock.now);
  const market = optionMarket(requests, {
    options: { underlyings: ['SPY'], feed: 'indicative' },
    shares: async () => ({ ok: true, value: new Map([['SPY', PRICE]]) }),
    names,
    now: () => clock.now,
  });
  return { market, asked };
}

it('asks for the next two monthly expiries around the price of the share', async () => {
  const { market, asked } = stage();
  expect(await market.instruments()).toMatchObject({ value: [{ symbol: CALL, expiry: '2026-12-18' }] });
  expect(asked.map(({ query }) => query)).toEqual(
    ['2026-12-18', '2027-01-15'].map((expiry) => ({
      underlying_symbols: 'SPY',
      status: 'active',
      expiration_date: expiry,
      strike_price_gte: '480.00',
      strike_price_lte: '720.00',
      limit: '1000',
    })),
  );
  expect(await market.facts()).toEqual({
    ok: true,
    value: [
      { symbol: CALL, kind: 'name', value: row.name },
      { symbol: CALL, kind: 'vendor_id', value: 'a key' },
      { symbol: CALL, kind: 'tradable', value: 'true' },
    ],
  });
});

it.each([
  ['an adjusted contract', { root_symbol: 'SPY1', symbol: 'SPY1261218C00610000' }],
  ['one that delivers another number of shares', { size: '10' }],
  ['one that is exercised at its end only', { style: 'european' }],
  ['a strike with cents', { strike_price: '612.5', symbol: 'SPY261218C00612500' }],
  ['a strike that no strategy chooses', { strike_price: '611', symbol: 'SPY261218C00611000' }],
])('leaves out %s', async (_which, change) => {
  expect(await stage({ rows: [{ ...row, ...change }] }).market.instruments()).toEqual({
    ok: true,
    value: [],
  });
});

it('takes a contract whose name does not fit its terms for malformed', async () => {
  const rows = [{ ...row, strike_price: '615' }];
  expect(await stage({ rows }).market.instruments()).toMatchObject({ code: 'malformed' });
});

it.each([
  ['the middle of the book', { latestQuote: BOOK }, 4.2, 4.1],
  [
    'the trade, when that is newer',
    { latestQuote: BOOK, latestTrade: { t: '2026-11-24T15:59:58Z', p: 4.3 } },
    4.3,
    4.1,
  ],
  ['half of what is asked, when nobody bids', { latestQuote: { ...BOOK, bp: 0, ap: 0.05 } }, 0.025, 0.01],
  ['a cent at least', { latestQuote: { ...BOOK, bp: 0, ap: 0.01 } }, 0.01, 0.01],
  [
    'the trade, when nobody asks',
    { latestQuote: { ...BOOK, ap: 0 }, latestTrade: { t: BOOK.t, p: 4 } },
    4,
    4.1,
  ],
])('a price is %s', async (_what, snapshot, last, bid) => {
  const answer = await stage({ snapshots: quoted(snapshot) }).market.quotes([CALL], true);
  expect(answer).toMatchObject({ ok: true, value: [{ symbol: CALL, bid, open: true }] });
  const [quote] = answer.ok ? answer.value : [];
  expect(quote!.last).toBeCloseTo(last, 8);
  expect(quote!.ask).toBeGreaterThanOrEqual(quote!.bid);
});

it.each([
  ['that the vendor does not trade', { rows: [{ ...row, tradable: false }] }],
  ['that nobody quotes', { snapshots: { snapshots: {} } }],
])('there is no price of a contract %s', async (_which, staged) => {
  expect(await stage(staged).market.quotes([CALL], true)).toEqual({ ok: true, value: [] });
});

it('keeps a contract that was listed before a restart, although the vendor lists it no more so near', async () => {
  const known = (symbol: string): InstrumentFact => ({
    symbol: symbol as Symbol,
    kind: 'tradable',
    value: 'true',
    from: '2026-10-19' as IsoDate,
  });
  const facts = [known(CALL), known('SPY.261120C600'), known('QQQ.261218C500')];
  const { market, asked } = stage({ rows: [], facts });
  expect(await market.instruments()).toMatchObject({ ok: true, value: [{ symbol: CALL }] });
  expect(await market.quotes([CALL], true)).toMatchObject({ ok: true, value: [{ symbol: CALL }] });
  expect(asked.at(-1)!.query).toEqual({ symbols: 'SPY261218C00610000', feed: 'indicative', limit: '1000' });
});

it('asks for a hundred names at once, and again after ten seconds', async () => {
  const strikes = Array.from({ length: 120 }, (_, i) => 485 + 5 * i).filter((strike) => strike <= 720);
  const rows = ['call', 'put'].flatMap((type) =>
    strikes.map((strike) => ({
      ...row,
      type,
      strike_price: String(strike),
      symbol: `SPY261218${type === 'call' ? 'C' : 'P'}00${strike}000`,
    })),
  );
  const clock = { now: NOW as number };
  const { market, asked } = stage({
    rows: [
      ...rows,
      ...rows.map((one) => ({
        ...one,
        expiration_date: '2027-01-15',
        symbol: one.symbol.replace('261218', '270115'),
      })),
    ],
    clock,
  });
  const snapshots = () =>
    asked
      .filter(({ path }) => path.includes('snapshots'))
      .map(({ query }) => query.symbols!.split(',').length);
  await market.quotes([CALL], true);
  await market.quotes([CALL], true);
  expect(snapshots()).toEqual([100, strikes.length * 4 - 100]);
  clock.now = instant(NOW + 11 * SECOND_MS);
  await market.quotes([CALL], true);
  expect(snapshots()).toHaveLength(4);
});

const RECORDED = path.resolve(
  import.meta.dirname,
  '../../../../../../shared/reference/alpaca/recorded-answers.json',
);

it.skipIf(!existsSync(RECORDED))('reads the recorded lists of contracts', () => {
  const { answers } = JSON.parse(readFileSync(RECORDED, 'utf8')) as {
    answers: { url: string; answer: unknown }[];
  };
  const pages = answers.filter(({ url }) => url.includes('/options/contracts?'));
  expect(pages.length).toBeGreaterThan(0);
  for (const { answer } of pages) {
    const wanted = { symbol: 'AAPL' as Symbol, ticker: 'AAPL', price: 175, expiry: '2023-11-03' as IsoDate };
    const { listed, nextToken } = parseOptionPage(answer, wanted);
    expect(listed.map(({ instrument }) => instrument.symbol)).toEqual(['AAPL.231103C170']);
    expect(nextToken).toBe('MA==');
  }
});
