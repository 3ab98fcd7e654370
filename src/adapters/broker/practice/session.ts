// A session of one practice account.
import type { ApprovedOrder } from '#engine/order/order.ts';
import { unchanged } from '#engine/practice/practice-account.ts';
import type { BrokerSession, CancelResult, SubmitResult, SubmitTerms } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { failed } from '../exchange.ts';
import type { PracticeStore } from './practice-store.ts';
import { createReads } from './reads.ts';
import { openStoreLine } from './store-line.ts';
import { notSent, submitOrder } from './submit-order.ts';
import type { Venue } from './venue.ts';

/** `mine` is the account of the credentials: no other is read, and nothing is sent to another. */
export function createSession(mine: BrokerAccountId, venue: Venue): BrokerSession {
  const { store, market } = venue;
  const line = openStoreLine();
  const { ask } = line;
  const only = async <Answer>(wanted: BrokerAccountId, run: () => Promise<Answer>) =>
    wanted === mine ? run() : refusal(mine, wanted);
  const reads = createReads(mine, venue, line);
  const submit = async (
    wanted: BrokerAccountId,
    order: ApprovedOrder,
    terms: { readonly stopPrice: number | null } & SubmitTerms,
  ): Promise<SubmitResult> => {
    if (wanted !== mine) return notSent('no_session', refusal(mine, wanted).reason);
    if (line.state().status === 'closed') return notSent('no_session', 'the session is closed');
    return submitOrder({ ask, store, market, accountId: mine }, order, terms);
  };
  return {
    accounts: () =>
      ask(() => Promise.resolve([{ accountId: mine, title: 'Practice account', currency: 'USD' }])),
    positions: (accountId) => only(accountId, reads.positions),
    cash: (accountId) => only(accountId, reads.cash),
    orders: (accountId) => only(accountId, () => reads.orders('all')),
    openOrders: (accountId) => only(accountId, () => reads.orders('open')),
    findOrder: (accountId, orderId) => only(accountId, () => reads.order(orderId)),
    executions: (accountId, since) => only(accountId, () => reads.executions(since)),
    submitOrder: (accountId, order, terms) => submit(accountId, order, { ...terms, stopPrice: null }),
    submitStop: (accountId, order, stopPrice, terms) => submit(accountId, order, { ...terms, stopPrice }),
    async cancelOrder(accountId, brokerOrderId): Promise<CancelResult> {
      if (accountId !== mine) return { outcome: 'unknown', reason: refusal(mine, accountId).reason };
      const now = await reads.look();
      if (now.outcome === 'failed') return { outcome: 'unknown', reason: now.reason };
      const done = await ask(() => cancel(mine, brokerOrderId, store));
      return done.outcome === 'failed' ? { outcome: 'unknown', reason: done.reason } : done.value;
    },
    async keepAlive() {
      const seen = await ask(() => store.read(mine));
      return seen.outcome === 'failed' ? seen : { outcome: 'ok', value: line.state() };
    },
    sessionState: line.state,
    close() {
      line.close();
      return Promise.resolve();
    },
  };
}

function cancel(accountId: BrokerAccountId, orderId: string, store: PracticeStore): Promise<CancelResult> {
  return store.change<CancelResult>(accountId, orderId, (account, order) => {
    if (order?.status !== 'working')
      return {
        change: unchanged(account),
        result: { outcome: 'refused', reason: 'no such order works here' },
      };
    const ended = { ...order, status: 'cancelled', changedAt: account.lookedAt } as const;
    return { change: { ...unchanged(account), orders: [ended] }, result: { outcome: 'requested' } };
  });
}

function refusal(mine: BrokerAccountId, wanted: BrokerAccountId) {
  return failed('refused', `the session is of ${mine}, not of ${wanted}`);
}
