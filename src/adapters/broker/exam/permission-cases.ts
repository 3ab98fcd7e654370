// Signing in, and the first questions.
import { strict as assert } from 'node:assert';
import type { Instant } from '#units/instant.ts';
import type { ExamCase } from './exam-case.ts';
import { CALLBACK, signedIn, value } from './steps.ts';

export const PERMISSION_CASES: readonly ExamCase[] = [
  {
    number: 'A1',
    claim: 'an approved sign-in gives credentials that open a session on the same accounts',
    async sit(bench) {
      const { session, accountId, authorization } = await signedIn(bench);
      const accounts = value(await session.accounts());
      assert.deepEqual(accounts, authorization.accounts);
      assert.equal(accounts[0]?.accountId, accountId);
      assert.equal(value(await session.keepAlive()).status, 'connected');
      assert.equal(session.sessionState().status, 'connected');
    },
  },
  {
    number: 'A2',
    claim: 'a refused sign-in comes back without a verifier and grants nothing',
    async sit(bench) {
      const pending = value(await bench.broker.beginAuthorization({ callbackUrl: CALLBACK }));
      assert.equal(await bench.decide(pending.authorizeUrl, 'deny'), null);
      const answer = await bench.broker.completeAuthorization({
        requestToken: pending.requestToken,
        verifier: '00',
      });
      assert.equal(answer.outcome === 'failed' && answer.code, 'unauthorized');
    },
  },
  {
    number: 'A3',
    claim: 'a request token and its verifier work once',
    async sit(bench) {
      const pending = value(await bench.broker.beginAuthorization({ callbackUrl: CALLBACK }));
      const verifier = (await bench.decide(pending.authorizeUrl, 'approve')) ?? '';
      const request = { requestToken: pending.requestToken, verifier };
      value(await bench.broker.completeAuthorization(request));
      const again = await bench.broker.completeAuthorization(request);
      assert.equal(again.outcome === 'failed' && again.code, 'unauthorized');
    },
  },
  {
    number: 'A4',
    claim: 'credentials that were never granted open nothing',
    async sit(bench) {
      const { authorization } = await signedIn(bench);
      const answer = await bench.broker.openSession({ ...authorization.credentials, accessToken: 'f00d' });
      assert.equal(answer.outcome === 'failed' && answer.code, 'unauthorized');
    },
  },
  {
    number: 'Q1',
    claim: 'a new account is flat, with no orders and no executions, and with cash',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      assert.deepEqual(value(await session.positions(accountId)), []);
      assert.deepEqual(value(await session.orders(accountId)), []);
      assert.deepEqual(value(await session.executions(accountId, 0 as Instant)), []);
      const cash = value(await session.cash(accountId));
      assert.ok(cash.cash > 0);
      assert.equal(cash.netLiquidation, cash.cash);
    },
  },
  {
    number: 'Q2',
    claim: 'a query that fails or cannot be read is a failure, never an empty list',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      value(await session.positions(accountId));
      value(await session.orders(accountId));
      const garbles: readonly [string, number][] = [
        ['<html>maintenance</html>', 200],
        ['{"error":"upstream"}', 503],
        ['{}', 200],
        ['[{"nothing":"known"}]', 200],
      ];
      for (const [text, status] of garbles) {
        bench.garbleNextAnswer(text, status);
        assert.equal((await session.orders(accountId)).outcome, 'failed', `orders: ${text}`);
        bench.garbleNextAnswer(text, status);
        const executions = await session.executions(accountId, 0 as Instant);
        assert.equal(executions.outcome, 'failed', `executions: ${text}`);
      }
    },
  },
];
