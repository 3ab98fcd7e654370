// Sessions that end, are taken or fall silent, and what comes over them.
import { strict as assert } from 'node:assert';
import type { Instant } from '#units/instant.ts';
import type { ExamCase } from './exam-case.ts';
import { accepted, signedIn, value } from './steps.ts';

export const SESSION_CASES: readonly ExamCase[] = [
  {
    number: 'S1',
    claim: 'a closed session sends nothing any more; its credentials open another',
    async sit(bench) {
      const { session, accountId, authorization } = await signedIn(bench);
      await session.close();
      assert.equal(session.sessionState().status, 'closed');
      const order = bench.order({ id: 's1', side: 'buy', price: 'marketable' });
      assert.equal((await session.submitOrder(accountId, order)).outcome, 'not_sent');
      const next = value(await bench.broker.openSession(authorization.credentials));
      accepted(await next.submitOrder(accountId, order));
    },
  },
  {
    number: 'S2',
    claim: 'a second session that only reads, opened and closed, does not disturb the one that trades',
    async sit(bench) {
      const { session, accountId, authorization } = await signedIn(bench);
      accepted(await session.submitOrder(accountId, bench.order({ id: 's2a', side: 'buy', price: 'far' })));
      const reader = value(await bench.broker.openSession(authorization.credentials));
      value(await reader.cash(accountId));
      assert.deepEqual(value(await reader.positions(accountId)), []);
      await reader.close();
      accepted(await session.submitOrder(accountId, bench.order({ id: 's2b', side: 'buy', price: 'far' })));
      assert.equal(session.sessionState().status, 'connected');
    },
  },
  {
    number: 'S3',
    claim: 'silence makes the session lost, and an answer brings it back',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      value(await session.keepAlive());
      bench.goSilent(true);
      assert.equal((await session.keepAlive()).outcome, 'failed');
      assert.equal(session.sessionState().status, 'lost');
      assert.equal((await session.positions(accountId)).outcome, 'failed');
      bench.goSilent(false);
      value(await session.keepAlive());
      assert.equal(session.sessionState().status, 'connected');
    },
  },
  {
    number: 'S4',
    claim: 'while another program holds the session nothing is sent, and reading goes on',
    needs: 'sessions',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      value(await session.keepAlive());
      bench.takeElsewhere?.();
      await session.keepAlive();
      assert.equal(session.sessionState().status, 'competing');
      const order = bench.order({ id: 's4', side: 'buy', price: 'marketable' });
      assert.equal((await session.submitOrder(accountId, order)).outcome, 'not_sent');
      assert.deepEqual(value(await session.positions(accountId)), []);
    },
  },
  {
    number: 'N1',
    claim: 'an execution comes over the stream as the list tells it later',
    needs: 'stream',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      const order = bench.order({ id: 'n1', side: 'buy', price: 'marketable' });
      accepted(await session.submitOrder(accountId, order));
      const early = new Promise<string>((told) =>
        session.onNews?.((news) => {
          if (news.kind === 'execution') told(news.execution.executionId);
        }),
      );
      bench.passOpening();
      const id = await early;
      const [execution] = value(await session.executions(accountId, 0 as Instant));
      assert.equal(execution?.executionId, id);
      await session.close();
    },
  },
  {
    number: 'M1',
    claim: 'a price is shown with what it stands for',
    needs: 'prices',
    async sit(bench) {
      const { session } = await signedIn(bench);
      assert.ok(session.marketData);
      const { symbol } = bench.order({ id: 'm1', side: 'buy', price: 'marketable' });
      const [quote] = value(await session.marketData.quotes([symbol]));
      assert.ok(quote && quote.symbol === symbol && (quote.last ?? 0) > 0);
      assert.equal(quote.standing, 'close');
    },
  },
  {
    number: 'R1',
    claim: 'planned interruptions are known beforehand, and noon is none',
    needs: 'resets',
    sit(bench) {
      const hours = Array.from({ length: 24 * 7 }, (_, hour) => (bench.now() + hour * 3_600_000) as Instant);
      const resets = hours.map((at) => bench.broker.resetAt(at)).filter((reset) => reset !== null);
      assert.ok(resets.length >= 5);
      for (const { from, until } of resets) assert.ok(until > from && until - from <= 86_400_000);
      const noon = Date.UTC(2026, 0, 14, 17) as Instant;
      assert.equal(bench.broker.resetAt(noon), null);
      return Promise.resolve();
    },
  },
];
