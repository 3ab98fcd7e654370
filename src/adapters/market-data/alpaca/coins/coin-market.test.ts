import { expect, it } from 'vitest';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { fromQuantity } from '#units/quantity.ts';
import { reading } from '../../read-answer.ts';
import type { Requests } from '../requests.ts';
import { coinMarket } from './coin-market.ts';

const BTC = 'BTCUSD' as Symbol;
const NOW = parseInstant('2026-11-24T12:00:00Z');
const ASSET = {
  class: 'crypto',
  exchange: 'CRYPTO',
  symbol: 'BTC/USD',
  name: 'Bitcoin / US Dollar',
  status: 'active',
  tradable: true,
  min_order_size: '0.0000161',
  min_trade_increment: '0.000000001',
  price_increment: '0.5',
};

/** The vendor's answers by how their address begins. */
function coins(answers: Readonly<Record<string, unknown>>) {
  const ask = async <Value>(
    path: string,
    _query: unknown,
    parse: (body: unknown) => Value,
  ): Promise<MarketDataAnswer<Value>> => reading(() => parse(answers[path]));
  const requests: Requests = { data: ask, trading: ask };
  return coinMarket(requests, { pairs: ['BTC/USD'], stream: null, now: () => NOW });
}

const listed = { '/v2/assets/BTC%2FUSD': ASSET };
const snapshot = (one: object) => ({
  ...listed,
  '/v1beta3/crypto/us/snapshots': { snapshots: { 'BTC/USD': one } },
});
const trade = (t: string, p: number) => ({ latestTrade: { t, p } });
const book = (t: string, bp: number, ap: number) => ({ latestQuote: { t, bp, ap } });

it('rounds the least order up to a power of ten, and prices to the vendor’s increment', async () => {
  const answer = await coins(listed).instruments();
  const [coin] = answer.ok ? answer.value : [];
  expect(fromQuantity(coin!.quantityStep)).toBe(0.0001);
  expect(coin).toMatchObject({
    symbol: BTC,
    priceDecimals: 1,
    terms: { isTradable: true, isShortable: false, priceTick: 0.5 },
  });
});

it.each([
  ['0.00000001', '0.01', 1e-8, 2, false],
  ['0.1', '0.000000001', 0.1, 9, false],
  ['15', '1', 100, 0, false],
  ['0.01', '0.0000005', 0.01, 7, true],
])(
  'of a least order %s and increment %s come their steps',
  async (least, increment, step, decimals, tick) => {
    const asset = { ...ASSET, min_order_size: least, price_increment: increment };
    const answer = await coins({ '/v2/assets/BTC%2FUSD': asset }).instruments();
    const [coin] = answer.ok ? answer.value : [];
    expect(fromQuantity(coin!.quantityStep)).toBe(step);
    expect(coin!.priceDecimals).toBe(decimals);
    expect(coin!.terms?.priceTick !== undefined).toBe(tick);
  },
);

it.each([
  [
    'the trade, when nothing was quoted later',
    { ...trade('2026-11-24T11:59:59Z', 100), ...book('2026-11-24T11:59:58Z', 98, 99) },
    100,
    '2026-11-24T11:59:59Z',
  ],
  [
    'the middle of the book, when that is newer',
    { ...trade('2026-11-24T11:30:00Z', 100), ...book('2026-11-24T11:59:58Z', 98, 99) },
    98.5,
    '2026-11-24T11:59:58Z',
  ],
  [
    'the trade, when the book has one side',
    { ...trade('2026-11-24T11:30:00Z', 100), ...book('2026-11-24T11:59:58Z', 0, 99) },
    100,
    '2026-11-24T11:30:00Z',
  ],
  [
    'the trade, when the book is crossed',
    { ...trade('2026-11-24T11:30:00Z', 100), ...book('2026-11-24T11:59:58Z', 99.5, 99) },
    100,
    '2026-11-24T11:30:00Z',
  ],
  [
    'the middle of the book, when nothing was ever traded',
    book('2026-11-24T11:59:58Z', 98, 99),
    98.5,
    '2026-11-24T11:59:58Z',
  ],
])('a price is %s', async (_why, one, last, at) => {
  expect(await coins(snapshot(one)).quotes([BTC])).toMatchObject({
    ok: true,
    value: [{ symbol: BTC, last, at: parseInstant(at), open: true }],
  });
});

it.each([
  ['that has neither trade nor book', {}, ASSET],
  ['that the vendor does not trade', trade('2026-11-24T11:59:59Z', 100), { ...ASSET, tradable: false }],
])('there is no price of a coin %s', async (_why, one, asset) => {
  const market = coins({ ...snapshot(one), '/v2/assets/BTC%2FUSD': asset });
  expect(await market.quotes([BTC])).toEqual({ ok: true, value: [] });
});

it.each([
  ['of another pair', { ...ASSET, symbol: 'ETH/USD' }],
  ['of a share', { ...ASSET, class: 'us_equity' }],
  ['without a size', { ...ASSET, min_order_size: '0' }],
  ['for other money', { ...ASSET, symbol: 'BTC/USDT' }],
])('a listing %s is malformed', async (_why, asset) => {
  expect(await coins({ '/v2/assets/BTC%2FUSD': asset }).instruments()).toMatchObject({ code: 'malformed' });
});

const hour = (t: string, o: number, h: number, l: number, c: number, v: unknown = 2) => ({
  t,
  o,
  h,
  l,
  c,
  v,
});
const bars = async (rows: readonly object[]) => {
  const market = coins({ '/v1beta3/crypto/us/bars': { bars: { 'BTC/USD': rows }, next_page_token: null } });
  const answer = await market.dailyBars(BTC, '2026-11-22' as IsoDate, '2026-11-24' as IsoDate);
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
};
const DAY = [hour('2026-11-22T00:00:00Z', 10, 12, 9, 11), hour('2026-11-22T05:00:00Z', 11, 15, 11, 14)];

it('puts a day together from its hours, of which some may be missing', async () => {
  const next = hour('2026-11-23T23:00:00Z', 14, 14, 8, 9);
  expect(await bars([...DAY, next])).toMatchObject({
    malformed: null,
    bars: [
      { date: '2026-11-22', open: 10, high: 15, low: 9, close: 14, volume: 4 },
      { date: '2026-11-23', open: 14, high: 14, low: 8, close: 9, volume: 2 },
    ],
  });
});

it.each([
  ['of the same day', hour('2026-11-22T06:00:00Z', 1, 1, 1, 1, 'two'), []],
  ['of the next day', hour('2026-11-23T00:00:00Z', 1, 1, 1, 1, 'two'), ['2026-11-22']],
  ['out of turn', hour('2026-11-22T04:00:00Z', 1, 1, 1, 1), []],
  ['within an hour', hour('2026-11-23T00:30:00Z', 1, 1, 1, 1), ['2026-11-22']],
])('a row %s that cannot be used ends the days before it', async (_which, row, dates) => {
  const { bars: whole, malformed } = await bars([...DAY, row]);
  expect(malformed).not.toBeNull();
  expect(whole.map(({ date }) => date)).toEqual(dates);
});
