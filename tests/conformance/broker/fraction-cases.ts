// Fractions of a share, where a broker takes them.
import { strict as assert } from 'node:assert';
import type { Instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { accepted, signedIn, value } from './steps.ts';

const UNITS = toQuantity(2.345_678);

export const FRACTION_CASES: readonly ConformanceCase[] = [
  {
    number: 'F1',
    requirement: 'a fraction of a share is bought and sold by limit orders, to the last hundred-millionth',
    needs: 'fractions',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const buy = harness.order({ id: 'f1', side: 'buy', price: 'marketable', units: UNITS });
      accepted(await session.submitOrder(accountId, buy));
      assert.equal(value(await session.openOrders(accountId))[0]?.quantity, UNITS);
      harness.passOpening();
      assert.equal(value(await session.positions(accountId))[0]?.quantity, UNITS);
      const [bought] = value(await session.executions(accountId, 0 as Instant));
      assert.equal(bought?.quantity, UNITS);
      const sell = harness.order({ id: 'f1s', side: 'sell', price: 'marketable', units: UNITS });
      accepted(await session.submitOrder(accountId, sell));
      assert.deepEqual(value(await session.positions(accountId)), []);
    },
  },
  {
    number: 'F2',
    requirement: 'a fraction of a share has a protective stop for all of it',
    needs: 'fractions',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const buy = harness.order({ id: 'f2', side: 'buy', price: 'marketable', units: UNITS });
      accepted(await session.submitOrder(accountId, buy));
      harness.passOpening();
      const stop = harness.order({ id: 'f2s', side: 'sell', price: 'marketable', units: UNITS });
      accepted(await session.submitStop!(accountId, stop, 95));
      const [working] = value(await session.openOrders(accountId));
      assert.deepEqual([working?.quantity, working?.stopPrice], [UNITS, 95]);
      harness.fallTo(0.9);
      harness.passMinutes(5);
      assert.deepEqual(value(await session.positions(accountId)), []);
    },
  },
  {
    number: 'F3',
    requirement: 'no fraction is sold short',
    needs: 'fractions',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const short = harness.order({ id: 'f3', side: 'sell', price: 'marketable', units: UNITS });
      const answer = await session.submitOrder(accountId, short);
      assert.deepEqual(
        [answer.outcome, answer.outcome === 'rejected' && answer.refusal],
        ['rejected', 'short_not_allowed'],
      );
      assert.equal(harness.broker.limits.sizing?.steps.equity?.short, toQuantity(1));
    },
  },
];
