// Coins, where a broker takes its fee of a purchase in coins.
import { strict as assert } from 'node:assert';
import type { BrokerSession } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { add, notional, ZERO_MICRO } from '#units/money.ts';
import { fromQuantity, quantity, toQuantity } from '#units/quantity.ts';
import type { BrokerHarness, ConformanceCase } from './conformance-case.ts';
import { accepted, signedIn, value } from './steps.ts';

const UNITS = toQuantity(0.123_456_78);
const DAY_MINUTES = 24 * 60;

export const COIN_CASES: readonly ConformanceCase[] = [
  {
    number: 'K1',
    requirement:
      'a fraction of a coin is bought while exchanges are closed, and shows under our symbol everywhere',
    needs: 'coinFees',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const far = coinOrder(harness, { id: 'k1f', side: 'buy', price: 'far' });
      accepted(await session.submitOrder(accountId, far));
      const [working] = value(await session.openOrders(accountId));
      assert.deepEqual([working?.symbol, working?.quantity], [far.symbol, UNITS]);
      await bought(harness, session, accountId, 'k1');
      const [execution] = value(await session.executions(accountId, 0 as Instant));
      assert.deepEqual([execution?.symbol, execution?.quantity], [far.symbol, UNITS]);
      const [position] = value(await session.positions(accountId));
      assert.equal(position?.symbol, far.symbol);
    },
  },
  {
    number: 'K2',
    requirement:
      'the fee of a purchase of coins is expected with its execution, listed in coins once its day is over, and missing from the position',
    needs: 'coinFees',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const today = utcDate(harness.now());
      const execution = await bought(harness, session, accountId, 'k2');
      assert.equal(execution.commission, null);
      const expected = execution.expectedFee!;
      assert.equal(expected.commission, notional(expected.units!, execution.price));
      harness.passMinutes(DAY_MINUTES);
      const [fee, ...others] = value(await session.cashActivities!(accountId, today));
      assert.deepEqual(others, []);
      assert.deepEqual(
        [fee?.kind, fee?.symbol, fee?.amount, fee?.units],
        ['coin_fee', execution.symbol, 0, null],
      );
      const taken = Math.ceil(fee!.coins! / 10);
      assert.ok(taken > 0 && taken <= expected.units!, `${taken} of ${expected.units}`);
      assert.equal(value(await session.positions(accountId))[0]?.quantity, UNITS - taken);
    },
  },
  {
    number: 'K3',
    requirement:
      'all coins that a fee leaves are sold in one order, and no more; the fee of the sale is listed in money',
    needs: 'coinFees',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const today = utcDate(harness.now());
      const before = value(await session.cash(accountId)).cash;
      const bid = await bought(harness, session, accountId, 'k3');
      const rest = quantity(UNITS - bid.expectedFee!.units!);
      const all = await session.submitOrder(
        accountId,
        coinOrder(harness, { id: 'k3a', side: 'sell', price: 'marketable' }),
      );
      assert.deepEqual(
        [all.outcome, all.outcome === 'rejected' && all.refusal],
        ['rejected', 'buying_power'],
      );
      const sale = coinOrder(harness, { id: 'k3s', side: 'sell', price: 'marketable', units: rest });
      accepted(await session.submitOrder(accountId, sale));
      harness.passMinutes(DAY_MINUTES);
      assert.deepEqual(value(await session.positions(accountId)), []);
      const sold = value(await session.executions(accountId, 0 as Instant)).find(
        ({ side }) => side === 'sell',
      )!;
      const fees = value(await session.cashActivities!(accountId, today)).filter(
        ({ amount }) => amount !== 0,
      );
      assert.deepEqual(
        fees.map(({ kind, symbol }) => [kind, symbol]),
        [['coin_fee', sold.symbol]],
      );
      assert.ok(-fees[0]!.amount <= sold.expectedFee!.commission);
      const moved = add(notional(rest, sold.price), fees[0]!.amount, ZERO_MICRO) - notional(UNITS, bid.price);
      assert.equal(value(await session.cash(accountId)).cash - before, moved);
    },
  },
  {
    number: 'K4',
    requirement: 'no coin is sold short, and less than the least order is refused with its reason',
    needs: 'coinFees',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const short = coinOrder(harness, { id: 'k4', side: 'sell', price: 'marketable' });
      const refused = await session.submitOrder(accountId, short);
      assert.deepEqual(
        [refused.outcome, refused.outcome === 'rejected' && refused.refusal],
        ['rejected', 'buying_power'],
      );
      const tiny = coinOrder(harness, {
        id: 'k4t',
        side: 'buy',
        price: 'marketable',
        units: toQuantity(0.0001),
      });
      const small = await session.submitOrder(accountId, tiny);
      assert.deepEqual(
        [small.outcome, small.outcome === 'rejected' && small.refusal],
        ['rejected', 'below_minimum'],
      );
      assert.deepEqual(value(await session.openOrders(accountId)), []);
    },
  },
  {
    number: 'K5',
    requirement: 'an order for coins stays beyond its day until it is cancelled, as the adapter says',
    needs: 'coinFees',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const far = coinOrder(harness, { id: 'k5', side: 'buy', price: 'far' });
      const id = accepted(await session.submitOrder(accountId, far));
      harness.passMinutes(2 * DAY_MINUTES);
      assert.deepEqual(harness.broker.limits.keepsOrders, ['crypto']);
      assert.equal(value(await session.openOrders(accountId)).length, 1);
      assert.equal((await session.cancelOrder(accountId, id)).outcome, 'requested');
      assert.deepEqual(value(await session.openOrders(accountId)), []);
    },
  },
];

function coinOrder(harness: BrokerHarness, terms: Parameters<BrokerHarness['order']>[0]) {
  return harness.order({ units: UNITS, ...terms, of: 'coin' });
}

async function bought(
  harness: BrokerHarness,
  session: BrokerSession,
  accountId: BrokerAccountId,
  id: string,
) {
  const buy = coinOrder(harness, { id, side: 'buy', price: 'marketable' });
  accepted(await session.submitOrder(accountId, buy));
  const [execution] = value(await session.executions(accountId, 0 as Instant));
  assert.ok(execution, `${fromQuantity(UNITS)} coins fill at once`);
  return execution;
}
