// What Alpaca refuses an order for, over HTTP: each is a code of ours, leaves no order behind, and is no loss of permission.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { REFUSALS, refusalOf } from '#adapters/broker/alpaca/refusals.ts';
import { BROKER_REFUSALS } from '#engine/execution/orders/broker-refusal.ts';
import type { BrokerAnswer, BrokerSession, SubmitResult } from '#ports/broker.ts';
import type { Account } from '#sandbox/alpaca/orders/order.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { type AlpacaHarness, openAlpacaHarness } from './alpaca-harness.ts';

let harness: AlpacaHarness;
let session: BrokerSession;
let account: Account;
let sent: number;

beforeEach(async () => {
  harness = await openAlpacaHarness();
  const opened = harness.standIn.signIn.openWithKey();
  account = opened.account;
  sent = 0;
  session = ok(await harness.broker.openSession({ keyId: opened.keyId, secretKey: opened.secretKey }));
});
afterEach(() => harness.close());

const order = (side: 'buy' | 'sell', units: number, limitPrice = side === 'buy' ? 103 : 97) => ({
  symbol: 'SPY' as Symbol,
  side,
  quantity: toQuantity(units),
  limitPrice,
  purpose: 'rebalance',
  clientOrderId: `r${sent++}` as ClientOrderId,
});
const send = (...terms: Parameters<typeof order>) =>
  session.submitOrder(account.number as BrokerAccountId, order(...terms) as never);
const stop = (units: number) =>
  session.submitStop?.(
    account.number as BrokerAccountId,
    order('sell', units) as never,
    50,
  ) as Promise<SubmitResult>;
const buyTen = async () => {
  await send('buy', 10);
  harness.passOpening();
};

type Case = readonly [refusal: string, provoke: () => Promise<SubmitResult>];
const CASES: readonly Case[] = [
  ['buying_power', () => send('buy', 1_000_000)],
  [
    'opposite_order',
    async () => {
      await buyTen();
      await stop(10);
      return send('buy', 1);
    },
  ],
  [
    'day_trades',
    async () => {
      await buyTen();
      account.flags.isOutOfDayTrades = true;
      return send('sell', 10);
    },
  ],
  [
    'trading_blocked',
    () => {
      account.flags.tradingBlocked = true;
      return send('buy', 1);
    },
  ],
  [
    'suspended_by_owner',
    () => {
      account.flags.tradeSuspendedByUser = true;
      return send('buy', 1);
    },
  ],
  [
    'closing_only',
    () => {
      account.flags.liquidationOnly = true;
      return send('buy', 1);
    },
  ],
  ['below_minimum', () => send('buy', 0.005)],
  [
    'not_tradable',
    () => {
      harness.standIn.terms.set('SPY', { tradable: false });
      return send('buy', 1);
    },
  ],
  [
    'not_fractionable',
    () => {
      harness.standIn.terms.set('SPY', { fractionable: false });
      return send('buy', 1.5);
    },
  ],
  [
    'short_not_allowed',
    () => {
      account.flags.shortingEnabled = false;
      return send('sell', 1);
    },
  ],
  [
    'quantity_not_held',
    async () => {
      await buyTen();
      await stop(10);
      return send('sell', 10);
    },
  ],
];

it.each(CASES)('%s', async (refusal, provoke) => {
  const answer = await provoke();
  expect(answer).toMatchObject({ outcome: 'rejected', refusal });
  expect(session.sessionState().status).toBe('connected');
  const orders = ok(await session.orders(account.number as BrokerAccountId));
  expect(orders.map(({ clientOrderId }) => clientOrderId)).not.toContain(`r${sent - 1}`);
});

it('an account that may only close still sells what it holds', async () => {
  await buyTen();
  account.flags.liquidationOnly = true;
  expect(await send('sell', 10)).toMatchObject({ outcome: 'accepted' });
});

it('has a case or a row for each code, and no code for other words', () => {
  expect(new Set(REFUSALS.map(({ refusal }) => refusal))).toEqual(new Set(BROKER_REFUSALS));
  expect(
    refusalOf(
      42_210_000,
      'invalid limit_price 290.123. sub-penny increment does not fulfill minimum pricing criteria',
    ),
  ).toBe('price_increment');
  expect(refusalOf(42_210_000, 'qty must be > 0')).toBeNull();
});

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
