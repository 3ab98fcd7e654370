// Alpaca's stream of order events on both sides: news comes early, and whatever the stream does the list has the last word.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BrokerAnswer, BrokerNews, BrokerSession } from '#ports/broker.ts';
import { FAULT_SCRIPT } from '#sandbox/alpaca/faults/fault-script.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { type AlpacaHarness, openAlpacaHarness } from './alpaca-harness.ts';

let harness: AlpacaHarness;
let session: BrokerSession;
let accountId: BrokerAccountId;
let news: BrokerNews[];

beforeEach(async () => {
  harness = await openAlpacaHarness();
  const { account, keyId, secretKey } = harness.standIn.signIn.openWithKey();
  accountId = account.number as BrokerAccountId;
  session = ok(await harness.broker.openSession({ keyId, secretKey }));
  news = [];
  session.onNews?.((one) => news.push(one));
  await until(() => orders().length === 1);
});
afterEach(async () => {
  await session.close();
  await harness.close();
});

const script = (rules: readonly object[]) => harness.standIn.faults.set(FAULT_SCRIPT.parse({ rules }));
const orders = () => news.filter(({ kind }) => kind === 'orders');
const executions = () => news.flatMap((one) => (one.kind === 'execution' ? [one.execution] : []));
const buy = (id: string) =>
  session.submitOrder(accountId, {
    symbol: 'SPY' as Symbol,
    side: 'buy',
    quantity: toQuantity(10),
    limitPrice: 103,
    purpose: 'rebalance',
    clientOrderId: id as ClientOrderId,
  } as never);

it('reports a fill as the row of the list, and no request for it is repeated', async () => {
  await buy('a');
  harness.passOpening();
  await until(() => executions().length > 0);
  expect(executions()).toEqual(ok(await session.executions(accountId, 0 as Instant)));
  expect(executions()[0]).toMatchObject({ clientOrderId: 'a', symbol: 'SPY', quantity: toQuantity(10) });
});

it('reports each part of an order that fills in parts', async () => {
  harness.fillPartly(true);
  await buy('a');
  harness.passOpening();
  await until(() => executions().length > 0);
  harness.fillPartly(false);
  await until(() => harness.standIn.books.orders[0]?.status === 'filled');
  const listed = new Set(
    ok(await session.executions(accountId, 0 as Instant)).map(({ executionId }) => executionId),
  );
  const reported = () => new Set(executions().map(({ executionId }) => executionId));
  await until(() => reported().size === listed.size);
  expect(listed.size).toBeGreaterThanOrEqual(2);
  expect(reported()).toEqual(listed);
});

it.each(['repeated', 'held'] as const)('invents nothing from a frame that is %s', async (how) => {
  script([{ on: 'trade_frame', fault: { kind: 'frame', how }, times: how === 'held' ? 2 : 9 }]);
  await buy('a');
  harness.passOpening();
  harness.fillPartly(false);
  await buy('b');
  await until(() => new Set(executions().map(({ clientOrderId }) => clientOrderId)).size === 2);
  const listed = ok(await session.executions(accountId, 0 as Instant)).map(({ executionId }) => executionId);
  for (const { executionId } of executions()) expect(listed).toContain(executionId);
});

it('takes a frame that it cannot read for news', async () => {
  script([{ on: 'trade_frame', fault: { kind: 'frame', how: 'garbled' }, times: 1 }]);
  await buy('a');
  await until(() => orders().length === 2);
});

it('asks for the lists when a fill is reported whose row the list does not show yet', async () => {
  script([{ on: 'fills', fault: { kind: 'list', how: 'empty' }, times: 1 }]);
  await buy('a');
  await until(() => orders().length === 2);
  harness.passOpening();
  await until(() => orders().length === 3);
  expect(executions()).toEqual([]);
});

it('comes back after the connection is cut, and then asks for the lists', async () => {
  script([{ on: 'trade_frame', fault: { kind: 'frame', how: 'cut' }, times: 1 }]);
  await buy('a');
  await until(() => orders().length === 2);
  expect(harness.standIn.stream.connections).toBe(1);
  harness.passOpening();
  await until(() => executions().length > 0);
});

it('is not opened for a reader that does not listen, and ends with the session', async () => {
  expect(harness.standIn.stream.connections).toBe(1);
  const { keyId, secretKey } = harness.standIn.signIn.openWithKey();
  const reader = ok(await harness.broker.openSession({ keyId, secretKey }));
  ok(await reader.keepAlive());
  expect(harness.standIn.stream.connections).toBe(1);
  await session.close();
  await until(() => harness.standIn.stream.connections === 0);
});

async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 200; look++) {
    if (isSo()) return;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error('it did not happen within ten seconds');
}

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
