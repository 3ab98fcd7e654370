// What an answer to an order allows to be concluded.
import { strict as assert } from 'node:assert';
import type { Instant } from '#units/instant.ts';
import { ZERO_QUANTITY } from '#units/quantity.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { accepted, signedIn, value } from './steps.ts';

export const ORDER_CASES: readonly ConformanceCase[] = [
  {
    number: 'O1',
    requirement:
      'an order for the next open is accepted, fills once at the open, and shows in position and cash',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const before = value(await session.cash(accountId));
      const order = harness.order({ id: 'o1', side: 'buy', price: 'marketable' });
      const brokerOrderId = accepted(await session.submitOrder(accountId, order));
      const [working] = value(await session.openOrders(accountId));
      assert.equal(working?.brokerOrderId, brokerOrderId);
      assert.equal(working?.symbol, order.symbol);
      assert.equal(working?.filled, ZERO_QUANTITY);
      harness.passOpening();
      const executions = value(await session.executions(accountId, 0 as Instant));
      assert.equal(executions.length, 1);
      const [execution] = executions;
      assert.ok(execution);
      assert.equal(execution.clientOrderId, order.clientOrderId);
      assert.equal(execution.brokerOrderId, brokerOrderId);
      assert.equal(execution.symbol, order.symbol);
      assert.equal(execution.side, 'buy');
      assert.equal(execution.quantity, order.quantity);
      assert.ok(execution.price <= order.limitPrice);
      const { commission } = execution;
      assert.ok(commission !== null);
      assert.equal(commission > 0, harness.capabilities.has('commission'));
      assert.ok(execution.at <= harness.now());
      const [position] = value(await session.positions(accountId));
      assert.equal(position?.symbol, order.symbol);
      assert.equal(position?.quantity, order.quantity);
      const after = value(await session.cash(accountId));
      const paid = Math.round(((order.quantity * execution.price) / 100_000_000) * 1_000_000);
      assert.ok(Math.abs(before.cash - after.cash - paid - commission) <= 1);
      assert.deepEqual(value(await session.openOrders(accountId)), []);
      assert.equal(value(await session.orders(accountId))[0]?.status, 'filled');
      assert.deepEqual(value(await session.executions(accountId, (execution.at + 1) as Instant)), []);
    },
  },
  {
    number: 'O2',
    requirement: 'an order away from the market does not fill and ends with its day',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      accepted(await session.submitOrder(accountId, harness.order({ id: 'o2', side: 'buy', price: 'far' })));
      harness.passOpening();
      assert.equal(value(await session.openOrders(accountId)).length, 1);
      harness.passClose();
      assert.deepEqual(value(await session.openOrders(accountId)), []);
      const ended = value(await session.orders(accountId))[0]?.status;
      assert.ok(ended === 'expired' || ended === 'cancelled', ended);
      assert.deepEqual(value(await session.executions(accountId, 0 as Instant)), []);
    },
  },
  {
    number: 'O3',
    requirement: 'a repeated client order ID never becomes a second order',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const order = harness.order({ id: 'o3', side: 'buy', price: 'marketable' });
      accepted(await session.submitOrder(accountId, order));
      assert.notEqual((await session.submitOrder(accountId, order)).outcome, 'accepted');
      harness.passOpening();
      assert.notEqual((await session.submitOrder(accountId, order)).outcome, 'accepted');
      assert.equal(value(await session.executions(accountId, 0 as Instant)).length, 1);
      assert.equal(value(await session.positions(accountId))[0]?.quantity, order.quantity);
    },
  },
  {
    number: 'O4',
    requirement: 'an order whose answer is lost is unknown, and is found by its client order ID',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      value(await session.orders(accountId));
      const order = harness.order({ id: 'o4', side: 'buy', price: 'marketable' });
      harness.loseNextAnswer();
      assert.equal((await session.submitOrder(accountId, order)).outcome, 'unknown');
      assert.equal(value(await session.openOrders(accountId)).length, 1);
      harness.passOpening();
      const [execution] = value(await session.executions(accountId, 0 as Instant));
      assert.equal(execution?.clientOrderId, order.clientOrderId);
    },
  },
  {
    number: 'O5',
    requirement: 'an unreadable answer makes an order unknown, not rejected',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      accepted(await session.submitOrder(accountId, harness.order({ id: 'o5', side: 'buy', price: 'far' })));
      for (const [text, status] of UNREADABLE_ANSWERS) {
        harness.garbleNextAnswer(text, status);
        const id = `o5-${status}-${text.length}`;
        const result = await session.submitOrder(accountId, harness.order({ id, side: 'buy', price: 'far' }));
        assert.equal(result.outcome, 'unknown', `${status} ${text}`);
      }
    },
  },
  {
    number: 'O6',
    requirement: 'an order beyond the buying power is rejected with a reason and leaves nothing behind',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const order = harness.order({ id: 'o6', side: 'buy', price: 'beyond_means' });
      const result = await session.submitOrder(accountId, order);
      assert.ok(result.outcome === 'rejected' && result.said.length > 10);
      assert.deepEqual(value(await session.openOrders(accountId)), []);
    },
  },
];

const UNREADABLE_ANSWERS: readonly [string, number][] = [
  ['<html>ok</html>', 200],
  ['[{"order_id":', 200],
  ['[]', 200],
  ['{}', 200],
  ['null', 200],
  ['{"error":"upstream timed out"}', 200],
  ['{"error":"Service Unavailable"}', 503],
  ['', 502],
];
