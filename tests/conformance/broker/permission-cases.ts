// Signing in, and the first questions.
import { strict as assert } from 'node:assert';
import type { Instant } from '#units/instant.ts';
import { inCatalogue } from '../../broker/in-catalogue.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { CALLBACK, signedIn, value } from './steps.ts';

export const PERMISSION_CASES: readonly ConformanceCase[] = [
  {
    number: 'A1',
    requirement: 'an approved sign-in yields credentials that open a session on the same accounts',
    async run(harness) {
      const { session, accountId, authorization } = await signedIn(harness);
      const accounts = value(await session.accounts());
      const again = value(await harness.broker.openSession(authorization.credentials));
      assert.deepEqual(value(await again.accounts()), accounts);
      assert.equal(accounts[0]?.accountId, accountId);
      assert.equal(value(await session.keepAlive()).status, 'connected');
      assert.equal(session.sessionState().status, 'connected');
    },
  },
  {
    number: 'A2',
    requirement: 'a declined sign-in returns no verifier and grants nothing',
    async run(harness) {
      const pending = value(await harness.broker.beginAuthorization({ callbackUrl: CALLBACK }));
      assert.equal(await harness.decide(pending.authorizeUrl, 'deny'), null);
      const answer = await harness.broker.completeAuthorization({
        requestToken: pending.requestToken,
        verifier: '00',
      });
      assert.equal(answer.outcome === 'failed' && answer.code, 'unauthorized');
    },
  },
  {
    number: 'A3',
    requirement: 'a request token and its verifier work once',
    async run(harness) {
      const pending = value(await harness.broker.beginAuthorization({ callbackUrl: CALLBACK }));
      const verifier = (await harness.decide(pending.authorizeUrl, 'approve')) ?? '';
      const request = { requestToken: pending.requestToken, verifier };
      value(await harness.broker.completeAuthorization(request));
      const again = await harness.broker.completeAuthorization(request);
      assert.equal(again.outcome === 'failed' && again.code, 'unauthorized');
    },
  },
  {
    number: 'A4',
    requirement: 'credentials that were never granted open no session',
    async run(harness) {
      const { authorization } = await signedIn(harness);
      const answer = await harness.broker.openSession({ ...authorization.credentials, accessToken: 'f00d' });
      assert.equal(answer.outcome === 'failed' && answer.code, 'unauthorized');
    },
  },
  {
    number: 'Q1',
    requirement: 'a new account is flat, with no orders and no executions, and with cash',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      assert.deepEqual(inCatalogue(value(await session.positions(accountId))), []);
      assert.deepEqual(inCatalogue(value(await session.orders(accountId))), []);
      assert.deepEqual(inCatalogue(value(await session.executions(accountId, 0 as Instant))), []);
      const cash = value(await session.cash(accountId));
      assert.ok(cash.cash > 0);
      assert.equal(cash.netLiquidation, cash.cash);
    },
  },
  {
    number: 'Q2',
    requirement: 'a failed query is a failure and a row that cannot be read is reported, never an empty list',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      value(await session.positions(accountId));
      value(await session.orders(accountId));
      const garbles: readonly [string, number][] = [
        ['<html>maintenance</html>', 200],
        ['{"error":"upstream"}', 503],
        ['{}', 200],
      ];
      for (const [text, status] of garbles) {
        harness.garbleNextAnswer(text, status);
        assert.equal((await session.orders(accountId)).outcome, 'failed', `orders: ${text}`);
        harness.garbleNextAnswer(text, status);
        const executions = await session.executions(accountId, 0 as Instant);
        assert.equal(executions.outcome, 'failed', `executions: ${text}`);
      }
      harness.garbleNextAnswer('[{"nothing":"known"}]', 200);
      const odd = await session.executions(accountId, 0 as Instant);
      assert.deepEqual(odd.outcome === 'ok' && [odd.value.length, odd.unread.length], [0, 1]);
    },
  },
];
