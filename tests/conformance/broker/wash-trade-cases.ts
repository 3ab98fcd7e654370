// Orders on both sides of one account, where a broker keeps a stop from every order across it.
import { strict as assert } from 'node:assert';
import type { ConformanceCase } from './conformance-case.ts';
import { accepted, signedIn, value } from './steps.ts';

export const WASH_TRADE_CASES: readonly ConformanceCase[] = [
  {
    number: 'W1',
    requirement:
      'an order across an open stop is refused with its reason and leaves nothing behind; it is taken once the stop is cancelled',
    needs: 'apart',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      assert.equal(harness.broker.limits.keepsStopsApart, true);
      const held = harness.order({ id: 'w1', side: 'buy', price: 'marketable' });
      accepted(await session.submitOrder(accountId, held));
      harness.passOpening();
      const protection = harness.order({ id: 'w1-stop', side: 'sell', price: 'marketable' });
      const stop = accepted(await session.submitStop!(accountId, protection, 90));
      const across = await session.submitOrder(
        accountId,
        harness.order({ id: 'w1-far', side: 'buy', price: 'far' }),
      );
      assert.deepEqual(
        [across.outcome, across.outcome === 'rejected' && across.refusal],
        ['rejected', 'opposite_order'],
      );
      assert.deepEqual(
        value(await session.openOrders(accountId)).map(({ brokerOrderId }) => brokerOrderId),
        [stop],
      );
      assert.equal((await session.cancelOrder(accountId, stop)).outcome, 'requested');
      accepted(
        await session.submitOrder(
          accountId,
          harness.order({ id: 'w1-again', side: 'buy', price: 'marketable' }),
        ),
      );
    },
  },
];
