// A broker session over the vendor's trading API. The vendor has no sessions: each request is independent.
import type { BrokerAnswer, BrokerSession, CancelResult, SessionState } from '#ports/broker.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { reading } from '../answer-fields.ts';
import { bodyOf, failed } from '../exchange.ts';
import { listCashActivities } from './cash-activities.ts';
import type { AlpacaConfig } from './config.ts';
import { type Connection, failureOf, messageOf } from './connection.ts';
import { createOrderLists, unreadRows } from './order-lists.ts';
import { type Known, parseAccount, parseOrder, parsePositions } from './parse-answers.ts';
import { submitOrder } from './submit-order.ts';

export function createSession(connection: Connection, config: AlpacaConfig): BrokerSession {
  const known: Known = (symbol) => config.findInstrument(symbol as Symbol)?.symbol ?? null;
  const ask = (path: string, query?: Readonly<Record<string, string>>) =>
    connection.query({ path, query, priority: 'reconcile' });
  const lists = createOrderLists(ask, known);

  const account = async (wanted: BrokerAccountId | null) => {
    const answer = await ask('/v2/account');
    if (answer.outcome === 'failed') return answer;
    const found = reading(() => parseAccount(answer.value));
    if (found.outcome === 'ok' && wanted !== null && found.value.accountId !== wanted)
      return failed('refused', `the permission is for ${found.value.accountId}, not for ${wanted}`);
    return found;
  };

  const only = async <Answer>(accountId: BrokerAccountId, run: () => Promise<Answer>) => {
    const mine = await account(accountId);
    return mine.outcome === 'failed' ? mine : run();
  };

  return {
    async accounts() {
      const found = await account(null);
      if (found.outcome === 'failed') return found;
      const { accountId, title, currency } = found.value;
      return { outcome: 'ok', value: [{ accountId, title, currency }] };
    },
    async cash(accountId) {
      const found = await account(accountId);
      if (found.outcome === 'failed') return found;
      const { currency, cash, netLiquidation } = found.value;
      return { outcome: 'ok', value: { currency, cash, netLiquidation } };
    },
    cashActivities: (accountId, since) => only(accountId, () => listCashActivities(ask, known, since)),
    positions: (accountId) =>
      only(accountId, async () => {
        const answer = await ask('/v2/positions');
        if (answer.outcome === 'failed') return answer;
        const list = reading(() => parsePositions(answer.value, known));
        if (list.outcome === 'failed') return list;
        const { rows, spoilt } = list.value;
        return { outcome: 'ok', value: rows, unread: unreadRows('positions', spoilt, known) };
      }),
    orders: () => lists.orders(),
    findOrder: (_accountId, brokerOrderId) => findOrder(connection, brokerOrderId, known),
    async openOrders() {
      const all = await lists.orders();
      if (all.outcome === 'failed') return all;
      const open = all.value.filter(({ status }) => status === 'working' || status === 'attention');
      return { ...all, value: open };
    },
    executions: (_accountId, since) => lists.executions(since),
    submitOrder: (_accountId, order, terms) =>
      submitOrder(connection, order, {
        instrument: config.findInstrument(order.symbol),
        mayLeave: terms?.mayLeave,
      }),
    submitStop: (_accountId, order, stopPrice, terms) =>
      submitOrder(connection, order, {
        instrument: config.findInstrument(order.symbol),
        stopPrice,
        mayLeave: terms?.mayLeave,
      }),
    cancelOrder: (_accountId, brokerOrderId) => cancel(connection, brokerOrderId),
    async keepAlive(): Promise<BrokerAnswer<SessionState>> {
      const answer = await ask('/v2/account');
      return answer.outcome === 'failed' ? answer : { outcome: 'ok', value: connection.state };
    },
    sessionState: () => connection.state,
    async close() {
      connection.close();
    },
  };
}

async function findOrder(connection: Connection, brokerOrderId: string, known: Known) {
  const path = `/v2/orders/${encodeURIComponent(brokerOrderId)}`;
  const result = await connection.send({ method: 'GET', path, priority: 'reconcile' });
  if (result.kind === 'answered' && result.status === 404) return { outcome: 'ok', value: null } as const;
  return failureOf(result) ?? reading(() => parseOrder(bodyOf(result), known));
}

async function cancel(connection: Connection, brokerOrderId: string): Promise<CancelResult> {
  const path = `/v2/orders/${encodeURIComponent(brokerOrderId)}`;
  const result = await connection.send({ method: 'DELETE', path, priority: 'cancel' });
  if (result.kind !== 'answered') return { outcome: 'unknown', reason: result.reason };
  if (result.status === 204) return { outcome: 'requested' };
  const said = messageOf(result) ?? failureOf(result)?.reason ?? `HTTP ${result.status}`;
  if (result.status === 404 || result.status === 422) return { outcome: 'refused', reason: said };
  return { outcome: 'unknown', reason: said };
}
