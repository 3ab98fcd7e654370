// What becomes of orders: cancelled, filled at once, in parts, by a stop.
import { strict as assert } from 'node:assert';
import type { Instant } from '#units/instant.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { accepted, signedIn, value } from './steps.ts';

export const OUTCOME_CASES: readonly ConformanceCase[] = [
  {
    number: 'O7',
    requirement: 'a cancelled order ends unfilled; cancelling an unknown order is refused',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const order = harness.order({ id: 'o7', side: 'buy', price: 'marketable' });
      const id = accepted(await session.submitOrder(accountId, order));
      assert.equal((await session.cancelOrder(accountId, id)).outcome, 'requested');
      harness.passOpening();
      assert.equal(value(await session.orders(accountId))[0]?.status, 'cancelled');
      assert.deepEqual(value(await session.executions(accountId, 0 as Instant)), []);
      assert.equal((await session.cancelOrder(accountId, id)).outcome, 'refused');
      assert.equal((await session.cancelOrder(accountId, '1')).outcome, 'refused');
    },
  },
  {
    number: 'O8',
    requirement: 'orders sent at the same time all arrive, each once',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const ids = Array.from({ length: 8 }, (_, index) => `o8-${index}`);
      const results = await Promise.all(
        ids.map((id) =>
          session.submitOrder(accountId, harness.order({ id, side: 'buy', price: 'marketable' })),
        ),
      );
      assert.equal(new Set(results.map(accepted)).size, ids.length);
      harness.passOpening();
      const executions = value(await session.executions(accountId, 0 as Instant));
      assert.equal(new Set(executions.map(({ clientOrderId }) => clientOrderId)).size, ids.length);
    },
  },
  {
    number: 'O9',
    requirement:
      'buying and selling the same amount leaves no position; cash changes by commissions and the price move',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      accepted(
        await session.submitOrder(accountId, harness.order({ id: 'o9b', side: 'buy', price: 'marketable' })),
      );
      harness.passOpening();
      accepted(
        await session.submitOrder(accountId, harness.order({ id: 'o9s', side: 'sell', price: 'marketable' })),
      );
      harness.passClose();
      harness.passOpening();
      assert.deepEqual(value(await session.positions(accountId)), []);
      const executions = value(await session.executions(accountId, 0 as Instant));
      assert.deepEqual(
        executions.map(({ side }) => side),
        ['buy', 'sell'],
      );
      const cash = value(await session.cash(accountId));
      assert.equal(cash.netLiquidation, cash.cash);
    },
  },
  {
    number: 'O10',
    requirement: 'a partially filled order reports each part once, and ends filled',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const order = harness.order({ id: 'o10', side: 'buy', price: 'marketable' });
      accepted(await session.submitOrder(accountId, order));
      harness.fillPartly(true);
      harness.passOpening();
      const [part] = value(await session.orders(accountId));
      assert.ok(part && part.status === 'working' && part.filled > 0 && part.filled < order.quantity);
      harness.fillPartly(false);
      harness.passMinutes(30);
      const executions = value(await session.executions(accountId, 0 as Instant));
      assert.ok(executions.length >= 2);
      assert.equal(new Set(executions.map(({ executionId }) => executionId)).size, executions.length);
      const sum = executions.reduce((total, { quantity }) => total + quantity, 0);
      assert.equal(sum, order.quantity);
      assert.equal(value(await session.orders(accountId))[0]?.status, 'filled');
    },
  },
  {
    number: 'O11',
    requirement: "an order is found by the broker's ID alone; an unknown ID is not",
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const order = harness.order({ id: 'o11', side: 'buy', price: 'far' });
      const id = accepted(await session.submitOrder(accountId, order));
      assert.ok(session.findOrder);
      const found = value(await session.findOrder(accountId, id));
      assert.equal(found?.clientOrderId, order.clientOrderId);
      assert.equal(found?.status, 'working');
      assert.equal(found?.symbol, order.symbol);
      assert.equal(value(await session.findOrder(accountId, '1')), null);
    },
  },
  {
    number: 'P1',
    requirement: 'a protective stop sells when its price trades, and ends with its session',
    needs: 'stops',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const order = harness.order({ id: 'p1', side: 'buy', price: 'marketable' });
      accepted(await session.submitOrder(accountId, order));
      harness.passOpening();
      const stop = harness.order({ id: 'p1-stop', side: 'sell', price: 'marketable' });
      assert.ok(session.submitStop);
      accepted(await session.submitStop(accountId, stop, 100));
      const [working] = value(await session.openOrders(accountId));
      assert.equal(working?.clientOrderId, stop.clientOrderId);
      assert.equal(working?.stopPrice, 100);
      harness.passClose();
      harness.passOpening();
      assert.deepEqual(value(await session.openOrders(accountId)), []);
      const next = harness.order({ id: 'p1-next', side: 'sell', price: 'marketable' });
      accepted(await session.submitStop(accountId, next, 100));
      harness.fallTo(0.9);
      harness.passMinutes(30);
      assert.deepEqual(value(await session.positions(accountId)), []);
    },
  },
];
