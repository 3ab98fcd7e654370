// Checks of the Alpaca adapter that the conformance suite does not cover.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BrokerAnswer, BrokerSession } from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { type AlpacaHarness, openAlpacaHarness } from './alpaca-harness.ts';

let harness: AlpacaHarness;
let session: BrokerSession;
let accountId: BrokerAccountId;

beforeEach(async () => {
  harness = await openAlpacaHarness();
  const { account, keyId, secretKey } = harness.standIn.signIn.openWithKey();
  accountId = account.number as BrokerAccountId;
  session = ok(await harness.broker.openSession({ keyId, secretKey }));
});
afterEach(() => harness.close());

const send = (
  id: string,
  order: { symbol?: string; side?: 'buy' | 'sell'; units?: number; limit?: number } = {},
) =>
  session.submitOrder(accountId, {
    symbol: (order.symbol ?? 'SPY') as Symbol,
    side: order.side ?? 'buy',
    quantity: toQuantity(order.units ?? 1),
    limitPrice: order.limit ?? 103,
    purpose: 'rebalance',
    clientOrderId: id as ClientOrderId,
  } as never);

it('is opened by an API key with its secret, and by no other secret', async () => {
  expect(ok(await session.accounts())[0]?.accountId).toBe(accountId);
  const { keyId } = harness.standIn.signIn.openWithKey();
  const answer = await harness.broker.openSession({ keyId, secretKey: 'a guess' });
  expect(answer).toMatchObject({ outcome: 'failed', code: 'unauthorized' });
});

it('reports only on the account of the permission', async () => {
  const other = harness.standIn.signIn.openWithKey().account.number as BrokerAccountId;
  expect(await session.cash(other)).toMatchObject({ outcome: 'failed', code: 'refused' });
  expect(await session.positions(other)).toMatchObject({ outcome: 'failed', code: 'refused' });
  expect(await session.orders(other)).toMatchObject({ outcome: 'failed', code: 'refused' });
  expect(await session.executions(other, 0 as Instant)).toMatchObject({ outcome: 'failed', code: 'refused' });
});

it('sends nothing to the account of the permission under another number', async () => {
  const other = harness.standIn.signIn.openWithKey().account.number as BrokerAccountId;
  const mine = accountId;
  await send('mine');
  accountId = other;
  expect(await send('other')).toMatchObject({ outcome: 'not_sent', code: 'no_session' });
  const [order] = harness.standIn.books.orders;
  // Not 'refused', which would say that the order is gone.
  expect(await session.cancelOrder(other, order?.id ?? '')).toMatchObject({ outcome: 'unknown' });
  expect(harness.standIn.books.orders).toHaveLength(1);
  expect(ok(await session.openOrders(mine))).toHaveLength(1);
});

it('trades shares and coins, and refuses other orders and stops for coins before sending', async () => {
  expect(await send('f', { symbol: 'EURUSD' })).toMatchObject({ outcome: 'not_sent', code: 'refused' });
  const coin = { symbol: 'BTCUSD', side: 'sell', quantity: toQuantity(1), limitPrice: 1, clientOrderId: 'c' };
  const stop = session.submitStop!(accountId, { ...coin, purpose: 'protective' } as never, 30_000);
  expect(await stop).toMatchObject({ outcome: 'not_sent', code: 'refused' });
  expect(harness.standIn.books.orders).toEqual([]);
});

it('reads fills page after page', async () => {
  for (let index = 0; index < 105; index++) await send(`p${index}`);
  harness.passOpening();
  const executions = ok(await session.executions(accountId, 0 as Instant));
  expect(new Set(executions.map(({ clientOrderId }) => clientOrderId)).size).toBe(105);
});

it("leaves out the owner's orders over an amount of money and of several legs, and reads their fills", async () => {
  const { books, signIn } = harness.standIn;
  const headers = { 'content-type': 'application/json' };
  const mine = signIn.openWithKey();
  session = ok(await harness.broker.openSession({ keyId: mine.keyId, secretKey: mine.secretKey }));
  accountId = mine.account.number as BrokerAccountId;
  const answer = await fetch(`${harness.address}/v2/orders`, {
    method: 'POST',
    headers: { ...headers, 'apca-api-key-id': mine.keyId, 'apca-api-secret-key': mine.secretKey },
    body: JSON.stringify({
      symbol: 'SPY',
      notional: '500.75',
      side: 'buy',
      type: 'market',
      time_in_force: 'day',
    }),
  });
  expect(await answer.json()).toMatchObject({ qty: null, notional: '500.75' });
  await send('ours');
  const list = await session.orders(accountId);
  expect(list).toMatchObject({ outcome: 'ok', unread: [] });
  expect(ok(list).map(({ clientOrderId }) => clientOrderId)).toEqual(['ours']);
  harness.passOpening();
  const [theirs, ours] = ok(await session.executions(accountId, 0 as Instant));
  expect(ours).toMatchObject({ clientOrderId: 'ours', quantity: toQuantity(1) });
  expect(Math.abs(theirs!.quantity * theirs!.price - 500.75e8)).toBeLessThan(theirs!.price);
  expect(await session.orders(accountId)).toMatchObject({ outcome: 'ok', unread: [] });
  expect(books.orders).toHaveLength(2);
});

it('shows a short position as negative', async () => {
  await send('s', { side: 'sell', units: 5, limit: 97 });
  harness.passOpening();
  expect(ok(await session.positions(accountId))[0]).toMatchObject({
    symbol: 'SPY',
    quantity: toQuantity(-5),
  });
});

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
