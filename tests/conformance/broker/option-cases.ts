// Options on shares, where the broker's account has a level for them.
import { strict as assert } from 'node:assert';
import type { BrokerSession } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { newYorkDate } from '#engine/market/calendar-new-york-time.ts';
import { addDays, type Instant } from '#units/instant.ts';
import { notional } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { BrokerHarness, ConformanceCase } from './conformance-case.ts';
import { accepted, signedIn, value } from './steps.ts';

export const OPTION_CASES: readonly ConformanceCase[] = [
  {
    number: 'V1',
    requirement:
      'a contract is bought for a hundred times its price, shows under our symbol everywhere, and ends worthless at its expiry',
    needs: 'options',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const before = value(await session.cash(accountId)).cash;
      const put = await traded(harness, session, accountId, { id: 'v1', side: 'buy', of: 'put' });
      const [position] = value(await session.positions(accountId));
      assert.deepEqual([position?.symbol, position?.quantity], [put.symbol, toQuantity(1)]);
      assert.equal(
        value(await session.cash(accountId)).cash - before,
        -notional(put.quantity, put.price, 100),
      );
      harness.passExpiry!();
      assert.deepEqual(value(await session.positions(accountId)), []);
    },
  },
  {
    number: 'V2',
    requirement:
      'a call is written against shares and not without, and is assigned in the money: the shares leave at the strike',
    needs: 'options',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const naked = await session.submitOrder(
        accountId,
        contract(harness, { id: 'v2n', side: 'sell', of: 'call' }),
      );
      assert.equal(naked.outcome, 'rejected');
      const shares = harness.order({ id: 'v2', side: 'buy', price: 'marketable', units: toQuantity(100) });
      accepted(await session.submitOrder(accountId, shares));
      harness.passOpening();
      await traded(harness, session, accountId, { id: 'v2c', side: 'sell', of: 'call' });
      const before = value(await session.cash(accountId)).cash;
      harness.passExpiry!();
      assert.deepEqual(value(await session.positions(accountId)), []);
      assert.equal(value(await session.cash(accountId)).cash - before, notional(toQuantity(100), 90));
    },
  },
  {
    number: 'V3',
    requirement: 'an account of level 1 writes covered options and buys none',
    needs: 'options',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      harness.limitAccount!('options_level_1', true);
      const bid = await session.submitOrder(
        accountId,
        contract(harness, { id: 'v3', side: 'buy', of: 'put' }),
      );
      assert.equal(bid.outcome, 'rejected');
      accepted(
        await session.submitOrder(accountId, contract(harness, { id: 'v3w', side: 'sell', of: 'put' })),
      );
    },
  },
  {
    number: 'V4',
    requirement:
      'contracts that are assigned before their expiry are listed by their number under our symbol, once, and the shares change hands at the strike',
    needs: 'assignments',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const put = await traded(harness, session, accountId, { id: 'v4', side: 'sell', of: 'put' });
      const today = newYorkDate(harness.now());
      assert.deepEqual(value(await session.assignments!(accountId, today)), []);
      const before = value(await session.cash(accountId)).cash;
      assert.ok(put.symbol !== null);
      harness.assignEarly!(put.symbol, 1);
      const shares = value(await session.positions(accountId));
      assert.deepEqual(
        shares.map(({ quantity }) => quantity),
        [toQuantity(100)],
      );
      assert.equal(value(await session.cash(accountId)).cash - before, -notional(toQuantity(100), 90));
      const listed = value(await session.assignments!(accountId, today));
      assert.deepEqual(
        listed.map(({ symbol, contracts, date }) => [symbol, contracts, date]),
        [[put.symbol, toQuantity(1), today]],
      );
      assert.deepEqual(value(await session.assignments!(accountId, today)), listed);
      assert.deepEqual(value(await session.assignments!(accountId, addDays(today, 1))), []);
    },
  },
  {
    number: 'V5',
    requirement:
      'shares that cover a written call are not sold, as the adapter says, until it is bought back',
    needs: 'options',
    async run(harness) {
      assert.equal(harness.broker.limits.keepsCover, true);
      const { session, accountId } = await signedIn(harness);
      const shares = { price: 'marketable', units: toQuantity(100) } as const;
      accepted(await session.submitOrder(accountId, harness.order({ ...shares, id: 'v5', side: 'buy' })));
      harness.passOpening();
      await traded(harness, session, accountId, { id: 'v5c', side: 'sell', of: 'call' });
      const early = await session.submitOrder(
        accountId,
        harness.order({ ...shares, id: 'v5e', side: 'sell' }),
      );
      assert.equal(early.outcome, 'rejected');
      const back = contract(harness, { id: 'v5b', side: 'buy', of: 'call' });
      accepted(await session.submitOrder(accountId, back));
      harness.passOpening();
      accepted(await session.submitOrder(accountId, harness.order({ ...shares, id: 'v5s', side: 'sell' })));
      harness.passOpening();
      assert.deepEqual(value(await session.positions(accountId)), []);
    },
  },
];

type Asked = { readonly id: string; readonly side: 'buy' | 'sell'; readonly of: 'call' | 'put' };

function contract(harness: BrokerHarness, asked: Asked) {
  return harness.order({ ...asked, price: 'marketable', units: toQuantity(1) });
}

async function traded(
  harness: BrokerHarness,
  session: BrokerSession,
  accountId: BrokerAccountId,
  asked: Asked,
) {
  const order = contract(harness, asked);
  accepted(await session.submitOrder(accountId, order));
  harness.passOpening();
  const found = value(await session.executions(accountId, 0 as Instant)).find(
    ({ symbol }) => symbol === order.symbol,
  );
  assert.ok(found, `${order.symbol} fills at the opening`);
  return found;
}
