// Sessions that end, are taken or fall silent, and what comes over them.
import { strict as assert } from 'node:assert';
import type { Instant } from '#units/instant.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { accepted, signedIn, value } from './steps.ts';
import { msBetween, wallInstant } from '#units/wall-instant.ts';

export const SESSION_CASES: readonly ConformanceCase[] = [
  {
    number: 'S1',
    requirement: 'a closed session sends nothing; its credentials open another',
    async run(harness) {
      const { session, accountId, authorization } = await signedIn(harness);
      await session.close();
      assert.equal(session.sessionState().status, 'closed');
      const order = harness.order({ id: 's1', side: 'buy', price: 'marketable' });
      assert.equal((await session.submitOrder(accountId, order)).outcome, 'not_sent');
      const next = value(await harness.broker.openSession(authorization.credentials));
      accepted(await next.submitOrder(accountId, order));
    },
  },
  {
    number: 'S2',
    requirement: 'opening and closing a read-only session does not disturb the trading session',
    async run(harness) {
      const { session, accountId, authorization } = await signedIn(harness);
      accepted(await session.submitOrder(accountId, harness.order({ id: 's2a', side: 'buy', price: 'far' })));
      const reader = value(await harness.broker.openSession(authorization.credentials));
      value(await reader.cash(accountId));
      assert.deepEqual(value(await reader.positions(accountId)), []);
      await reader.close();
      accepted(await session.submitOrder(accountId, harness.order({ id: 's2b', side: 'buy', price: 'far' })));
      assert.equal(session.sessionState().status, 'connected');
    },
  },
  {
    number: 'S3',
    requirement: 'no response makes the session lost, and a response restores it',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      value(await session.keepAlive());
      harness.goSilent(true);
      assert.equal((await session.keepAlive()).outcome, 'failed');
      assert.equal(session.sessionState().status, 'lost');
      assert.equal((await session.positions(accountId)).outcome, 'failed');
      harness.goSilent(false);
      value(await session.keepAlive());
      assert.equal(session.sessionState().status, 'connected');
    },
  },
  {
    number: 'S4',
    requirement: 'while another program holds the session nothing is sent, and reads continue',
    needs: 'sessions',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      value(await session.keepAlive());
      harness.takeElsewhere?.();
      await session.keepAlive();
      assert.equal(session.sessionState().status, 'competing');
      const order = harness.order({ id: 's4', side: 'buy', price: 'marketable' });
      assert.equal((await session.submitOrder(accountId, order)).outcome, 'not_sent');
      assert.deepEqual(value(await session.positions(accountId)), []);
    },
  },
  {
    number: 'N1',
    requirement: 'an execution on the stream equals the one in the list',
    needs: 'stream',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const order = harness.order({ id: 'n1', side: 'buy', price: 'marketable' });
      accepted(await session.submitOrder(accountId, order));
      const early = new Promise<string>((reported) =>
        session.onNews?.((news) => {
          if (news.kind === 'execution') reported(news.execution.executionId);
        }),
      );
      harness.passOpening();
      const id = await early;
      const [execution] = value(await session.executions(accountId, 0 as Instant));
      assert.equal(execution?.executionId, id);
      await session.close();
    },
  },
  {
    number: 'M1',
    requirement: 'a price comes with its kind: live, delayed or last close',
    needs: 'prices',
    async run(harness) {
      const { session } = await signedIn(harness);
      assert.ok(session.marketData);
      const { symbol } = harness.order({ id: 'm1', side: 'buy', price: 'marketable' });
      const [quote] = value(await session.marketData.quotes([symbol]));
      assert.ok(quote && quote.symbol === symbol && (quote.last ?? 0) > 0);
      assert.equal(quote.status, 'close');
    },
  },
  {
    number: 'R1',
    requirement: 'planned maintenance is known in advance, and never at noon',
    needs: 'resets',
    run(harness) {
      const hours = Array.from({ length: 24 * 7 }, (_, hour) =>
        wallInstant(harness.now() + hour * 3_600_000),
      );
      const resets = hours.map((at) => harness.broker.resetAt(at)).filter((reset) => reset !== null);
      assert.ok(resets.length >= 5);
      for (const { from, until } of resets) {
        const ms = msBetween(from, until);
        assert.ok(ms > 0 && ms <= 86_400_000);
      }
      const noon = wallInstant(Date.UTC(2026, 0, 14, 17));
      assert.equal(harness.broker.resetAt(noon), null);
      return Promise.resolve();
    },
  },
];
