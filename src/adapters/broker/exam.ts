// The exam that every broker adapter sits, against its own sandbox or stand-in: numbered claims of the broker port.
// A bench brings the broker, a person who decides at the sign-in page, and a hand on the market and the wire.
import { strict as assert } from 'node:assert';
import type { ApprovedOrder, Side } from '#engine/order/order.ts';
import type { Authorization, Broker, BrokerAnswer, BrokerSession, SubmitResult } from '#ports/broker.ts';
import type { Instant } from '#units/instant.ts';
import { ZERO_QUANTITY } from '#units/quantity.ts';

export type ExamBench = {
  readonly broker: Broker;
  /** A new person opens an account, signs in at the address and decides. Null is a return without a verifier. */
  decide(authorizeUrl: string, decision: 'approve' | 'deny'): Promise<string | null>;
  /**
   * An order of the bench's instrument. marketable: its limit fills at the next opening. far: never. beyond_means: costs
   * more than the account has.
   */
  order(wish: { readonly id: string; readonly side: Side; readonly price: OrderPrice }): ApprovedOrder;
  now(): Instant;
  /** Moves the market to just after its next opening. */
  passOpening(): void;
  /** Moves the market to just after the end of the session. */
  passClose(): void;
  /** The next order is taken by the broker, but its answer never arrives. */
  loseNextAnswer(): void;
  /** The broker answers the next query with this instead. */
  garbleNextAnswer(text: string, status: number): void;
};

export type OrderPrice = 'marketable' | 'far' | 'beyond_means';

export type ExamCase = {
  readonly number: string;
  readonly claim: string;
  sit(bench: ExamBench): Promise<void>;
};

export const BROKER_EXAM: readonly ExamCase[] = [
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
  {
    number: 'O1',
    claim: 'an order for the next opening works, fills once at the opening, and shows in position and cash',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      const before = value(await session.cash(accountId));
      const order = bench.order({ id: 'o1', side: 'buy', price: 'marketable' });
      const brokerOrderId = accepted(await session.submitOrder(accountId, order));
      const [working] = value(await session.openOrders(accountId));
      assert.equal(working?.brokerOrderId, brokerOrderId);
      assert.equal(working?.symbol, order.symbol);
      assert.equal(working?.filled, ZERO_QUANTITY);
      bench.passOpening();
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
      assert.ok(execution.commission > 0 && execution.at <= bench.now());
      const [position] = value(await session.positions(accountId));
      assert.equal(position?.symbol, order.symbol);
      assert.equal(position?.quantity, order.quantity);
      const after = value(await session.cash(accountId));
      const paid = Math.round(((order.quantity * execution.price) / 100_000_000) * 1_000_000);
      assert.ok(Math.abs(before.cash - after.cash - paid - execution.commission) <= 1);
      assert.deepEqual(value(await session.openOrders(accountId)), []);
      assert.equal(value(await session.orders(accountId))[0]?.status, 'filled');
      assert.deepEqual(value(await session.executions(accountId, (execution.at + 1) as Instant)), []);
    },
  },
  {
    number: 'O2',
    claim: 'an order beyond the limit does not fill and expires with its day',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      accepted(await session.submitOrder(accountId, bench.order({ id: 'o2', side: 'buy', price: 'far' })));
      bench.passOpening();
      assert.equal(value(await session.openOrders(accountId)).length, 1);
      bench.passClose();
      assert.deepEqual(value(await session.openOrders(accountId)), []);
      assert.equal(value(await session.orders(accountId))[0]?.status, 'expired');
      assert.deepEqual(value(await session.executions(accountId, 0 as Instant)), []);
    },
  },
  {
    number: 'O3',
    claim: 'a second order under the same client order id never becomes a second order',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      const order = bench.order({ id: 'o3', side: 'buy', price: 'marketable' });
      accepted(await session.submitOrder(accountId, order));
      assert.notEqual((await session.submitOrder(accountId, order)).outcome, 'accepted');
      bench.passOpening();
      assert.notEqual((await session.submitOrder(accountId, order)).outcome, 'accepted');
      assert.equal(value(await session.executions(accountId, 0 as Instant)).length, 1);
      assert.equal(value(await session.positions(accountId))[0]?.quantity, order.quantity);
    },
  },
  {
    number: 'O4',
    claim: 'an order whose answer is lost is unknown, and is found again by its client order id',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      value(await session.orders(accountId));
      const order = bench.order({ id: 'o4', side: 'buy', price: 'marketable' });
      bench.loseNextAnswer();
      assert.equal((await session.submitOrder(accountId, order)).outcome, 'unknown');
      assert.equal(value(await session.openOrders(accountId)).length, 1);
      bench.passOpening();
      const [execution] = value(await session.executions(accountId, 0 as Instant));
      assert.equal(execution?.clientOrderId, order.clientOrderId);
    },
  },
  {
    number: 'O5',
    claim: 'an answer to an order that cannot be read makes it unknown, not rejected',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      accepted(await session.submitOrder(accountId, bench.order({ id: 'o5', side: 'buy', price: 'far' })));
      for (const [text, status] of UNREADABLE_ANSWERS) {
        bench.garbleNextAnswer(text, status);
        const id = `o5-${status}-${text.length}`;
        const result = await session.submitOrder(accountId, bench.order({ id, side: 'buy', price: 'far' }));
        assert.equal(result.outcome, 'unknown', `${status} ${text}`);
      }
    },
  },
  {
    number: 'O6',
    claim: 'an order that the account cannot carry is rejected with a reason and leaves nothing behind',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      const order = bench.order({ id: 'o6', side: 'buy', price: 'beyond_means' });
      const result = await session.submitOrder(accountId, order);
      assert.ok(result.outcome === 'rejected' && result.reason.length > 10);
      assert.deepEqual(value(await session.openOrders(accountId)), []);
    },
  },
  {
    number: 'O7',
    claim: 'a cancelled order ends unfilled; cancelling what does not exist is refused',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      const order = bench.order({ id: 'o7', side: 'buy', price: 'marketable' });
      const id = accepted(await session.submitOrder(accountId, order));
      assert.equal((await session.cancelOrder(accountId, id)).outcome, 'requested');
      bench.passOpening();
      assert.equal(value(await session.orders(accountId))[0]?.status, 'cancelled');
      assert.deepEqual(value(await session.executions(accountId, 0 as Instant)), []);
      assert.equal((await session.cancelOrder(accountId, id)).outcome, 'refused');
      assert.equal((await session.cancelOrder(accountId, '1')).outcome, 'refused');
    },
  },
  {
    number: 'O8',
    claim: 'orders sent at the same moment all arrive, each once',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      const ids = Array.from({ length: 8 }, (_, index) => `o8-${index}`);
      const results = await Promise.all(
        ids.map((id) =>
          session.submitOrder(accountId, bench.order({ id, side: 'buy', price: 'marketable' })),
        ),
      );
      assert.equal(new Set(results.map(accepted)).size, ids.length);
      bench.passOpening();
      const executions = value(await session.executions(accountId, 0 as Instant));
      assert.equal(new Set(executions.map(({ clientOrderId }) => clientOrderId)).size, ids.length);
    },
  },
  {
    number: 'O9',
    claim: 'buying and selling the same amount leaves no position, and cash less commissions and the move',
    async sit(bench) {
      const { session, accountId } = await signedIn(bench);
      accepted(
        await session.submitOrder(accountId, bench.order({ id: 'o9b', side: 'buy', price: 'marketable' })),
      );
      bench.passOpening();
      accepted(
        await session.submitOrder(accountId, bench.order({ id: 'o9s', side: 'sell', price: 'marketable' })),
      );
      bench.passClose();
      bench.passOpening();
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
];

export const CALLBACK = 'http://127.0.0.1:3000/api/broker-callback/?state=s';

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

async function signedIn(bench: ExamBench) {
  const pending = value(await bench.broker.beginAuthorization({ callbackUrl: CALLBACK }));
  const verifier = await bench.decide(pending.authorizeUrl, 'approve');
  assert.ok(verifier, 'an approval comes back with a verifier');
  const { requestToken } = pending;
  const authorization: Authorization = value(
    await bench.broker.completeAuthorization({ requestToken, verifier }),
  );
  const accountId = authorization.accounts[0]?.accountId;
  assert.ok(accountId, 'there is an account');
  const session: BrokerSession = value(await bench.broker.openSession(authorization.credentials));
  return { authorization, accountId, session };
}

function value<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') assert.fail(`${answer.code}: ${answer.reason}`);
  return answer.value;
}

function accepted(result: SubmitResult): string {
  if (result.outcome !== 'accepted') assert.fail(`${result.outcome}: ${result.reason}`);
  return result.brokerOrderId;
}
