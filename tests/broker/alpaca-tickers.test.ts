import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { alpaca } from '#adapters/broker/alpaca/alpaca.ts';
import { tickersOf } from '#engine/market/tickers.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import type { BrokerSession } from '#ports/broker.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';

const FB = 'FB' as Symbol;
const ACCOUNT = 'PA1' as BrokerAccountId;
const TODAY = '2022-06-20' as IsoDate;
const NAMED = tickersOf(
  [
    ['FB', '2022-01-03'],
    ['META', '2022-06-09'],
  ].map(([value, from]) => ({ symbol: FB, kind: 'ticker', value: value!, from: from as IsoDate })),
);

const app = Fastify();
const sent: { symbol: string }[] = [];
let session: BrokerSession;

beforeAll(async () => {
  app.get('/v2/account', () => ({
    id: 'an id',
    account_number: ACCOUNT,
    status: 'ACTIVE',
    currency: 'USD',
    cash: '1000',
    equity: '1000',
  }));
  const position = (symbol: string) => ({
    asset_id: `id of ${symbol}`,
    asset_class: 'us_equity',
    symbol,
    qty: '5',
    side: 'long',
    avg_entry_price: '190',
    current_price: '184',
  });
  app.get('/v2/positions', () => [position('META'), position('FB')]);
  app.post('/v2/orders', ({ body }) => {
    const order = body as { symbol: string; client_order_id: string };
    sent.push(order);
    return { ...order, id: 'order-1', status: 'accepted' };
  });
  const broker = alpaca({
    baseUrl: await app.listen({ host: '127.0.0.1', port: 0 }),
    access: { kind: 'keys', keyId: 'an id', secretKey: 'a secret' },
    findInstrument: (symbol) => (symbol === FB ? equityInstrument('FB') : null),
    tickers: () => ({
      tickerOf: (symbol) => NAMED.tickerOn(symbol, TODAY),
      symbolOf: (ticker) => NAMED.symbolInList(ticker, TODAY),
    }),
  });
  const opened = await broker.openSession({});
  if (opened.outcome === 'failed') throw new Error(opened.reason);
  session = opened.value;
});
afterAll(async () => {
  await session?.close();
  await app.close();
});

it('an order for a renamed share goes out under the ticker of today', async () => {
  const order = {
    symbol: FB,
    side: 'buy',
    quantity: toQuantity(5),
    limitPrice: 190,
    purpose: 'rebalance',
    clientOrderId: 'BW1' as ClientOrderId,
  } as unknown as ApprovedOrder;
  expect(await session.submitOrder(ACCOUNT, order)).toMatchObject({ outcome: 'accepted' });
  expect(sent.map(({ symbol }) => symbol)).toEqual(['META']);
});

it('a position is ours under the ticker of today, and another company’s under the old one', async () => {
  const positions = await session.positions(ACCOUNT);
  expect(positions.outcome === 'ok' && positions.value.map(({ symbol }) => symbol)).toEqual([FB, null]);
});
