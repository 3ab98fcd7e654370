// A broker session over the vendor's trading API. It has no session of its own: each request stands alone.
import type {
  BrokerAnswer,
  BrokerExecution,
  BrokerOrder,
  BrokerSession,
  CancelResult,
  SessionState,
} from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { reading, rowsOf, textOf } from '../answer-fields.ts';
import { bodyOf, failed } from '../exchange.ts';
import type { AlpacaConfig } from './config.ts';
import { type Connection, failureOf, messageOf } from './connection.ts';
import {
  type FillRow,
  type Known,
  parseAccount,
  parseFills,
  parseOrder,
  parsePositions,
} from './parse-answers.ts';
import { submitOrder } from './submit-order.ts';

export function createSession(connection: Connection, config: AlpacaConfig): BrokerSession {
  const known: Known = (symbol) => config.findInstrument(symbol as Symbol)?.symbol ?? null;
  const clientIds = new Map<string, ClientOrderId | null>();
  const ask = (path: string, query?: Readonly<Record<string, string>>) =>
    connection.query({ path, query, priority: 'reconcile' });

  const account = async (wanted: BrokerAccountId | null) => {
    const answer = await ask('/v2/account');
    if (answer.outcome === 'failed') return answer;
    const found = reading(() => parseAccount(answer.value));
    if (found.outcome === 'ok' && wanted !== null && found.value.accountId !== wanted)
      return failed('refused', `the permission is for ${found.value.accountId}, not for ${wanted}`);
    return found;
  };

  /** All working ones, and the latest of those that ended. */
  const orders = async (): Promise<BrokerAnswer<readonly BrokerOrder[]>> => {
    const found = new Map<string, BrokerOrder>();
    for (const status of ['open', 'closed'] as const) {
      const size = { rows: ORDER_ROWS, pages: status === 'open' ? PAGES_MAX : 1 };
      const rows = await pages(size, (last) =>
        ask('/v2/orders', {
          status,
          limit: String(ORDER_ROWS),
          direction: 'desc',
          ...(last === null ? {} : { until: justAfter(textOf(last, 'submitted_at')) }),
        }),
      );
      if (rows.outcome === 'failed') return rows;
      const read = reading(() => rows.value.map((row) => parseOrder(row, known)));
      if (read.outcome === 'failed') return read;
      for (const order of read.value) found.set(order.brokerOrderId, order);
    }
    for (const { brokerOrderId, clientOrderId } of found.values())
      clientIds.set(brokerOrderId, clientOrderId);
    return { outcome: 'ok', value: [...found.values()] };
  };

  /** Fills name the vendor's order id alone. */
  const withClientIds = async (
    fills: readonly FillRow[],
  ): Promise<BrokerAnswer<readonly BrokerExecution[]>> => {
    const value: BrokerExecution[] = [];
    for (const { name, ...fill } of fills) {
      if (!clientIds.has(fill.brokerOrderId)) {
        const answer = await ask(`/v2/orders/${encodeURIComponent(fill.brokerOrderId)}`);
        if (answer.outcome === 'failed') return answer;
        const order = reading(() => parseOrder(answer.value, known));
        if (order.outcome === 'failed') return order;
        clientIds.set(fill.brokerOrderId, order.value.clientOrderId);
      }
      const clientOrderId = clientIds.get(fill.brokerOrderId) ?? null;
      value.push({ ...fill, clientOrderId, brokerInstrumentId: name });
    }
    return { outcome: 'ok', value };
  };

  const only = async <Value>(accountId: BrokerAccountId, run: () => Promise<BrokerAnswer<Value>>) => {
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
    positions: (accountId) =>
      only(accountId, async () => {
        const answer = await ask('/v2/positions');
        return answer.outcome === 'failed' ? answer : reading(() => parsePositions(answer.value, known));
      }),
    orders,
    async findOrder(_accountId, brokerOrderId) {
      const result = await connection.send({
        method: 'GET',
        path: `/v2/orders/${encodeURIComponent(brokerOrderId)}`,
        priority: 'reconcile',
      });
      if (result.kind === 'answered' && result.status === 404) return { outcome: 'ok', value: null };
      return failureOf(result) ?? reading(() => parseOrder(bodyOf(result), known));
    },
    async openOrders() {
      const all = await orders();
      if (all.outcome === 'failed') return all;
      const open = all.value.filter(({ status }) => status === 'working' || status === 'attention');
      return { outcome: 'ok', value: open };
    },
    async executions(_accountId, since) {
      const rows = await pages({ rows: FILL_ROWS, pages: PAGES_MAX }, (last) =>
        ask('/v2/account/activities/FILL', {
          after: isoText((since - 1) as Instant),
          direction: 'asc',
          page_size: String(FILL_ROWS),
          ...(last === null ? {} : { page_token: textOf(last, 'id') }),
        }),
      );
      if (rows.outcome === 'failed') return rows;
      const fills = reading(() => parseFills(rows.value, known).filter(({ at }) => at >= since));
      return fills.outcome === 'failed' ? fills : withClientIds(fills.value);
    },
    submitOrder: (_accountId, order, mayLeave) =>
      submitOrder(connection, order, { instrument: config.findInstrument(order.symbol), mayLeave }),
    submitStop: (_accountId, order, stopPrice, mayLeave) =>
      submitOrder(connection, order, {
        instrument: config.findInstrument(order.symbol),
        stopPrice,
        mayLeave,
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

async function cancel(connection: Connection, brokerOrderId: string): Promise<CancelResult> {
  const path = `/v2/orders/${encodeURIComponent(brokerOrderId)}`;
  const result = await connection.send({ method: 'DELETE', path, priority: 'cancel' });
  if (result.kind !== 'answered') return { outcome: 'unknown', reason: result.reason };
  if (result.status === 204) return { outcome: 'requested' };
  const said = messageOf(result) ?? failureOf(result)?.reason ?? `HTTP ${result.status}`;
  if (result.status === 404 || result.status === 422) return { outcome: 'refused', reason: said };
  return { outcome: 'unknown', reason: said };
}

/** Asks page after page until one is not full. A list that does not end is no list. */
async function pages(
  size: { readonly rows: number; readonly pages: number },
  askPage: (last: Readonly<Record<string, unknown>> | null) => Promise<BrokerAnswer<unknown>>,
): Promise<BrokerAnswer<readonly Readonly<Record<string, unknown>>[]>> {
  const all: Readonly<Record<string, unknown>>[] = [];
  let last: Readonly<Record<string, unknown>> | null = null;
  for (let page = 1; page <= size.pages; page++) {
    const asked: BrokerAnswer<unknown> = await askPage(last);
    if (asked.outcome === 'failed') return asked;
    const rows = reading(() => rowsOf(asked.value, 'the list'));
    if (rows.outcome === 'failed') return rows;
    all.push(...rows.value);
    last = rows.value.at(-1) ?? null;
    if (rows.value.length < size.rows || last === null) return { outcome: 'ok', value: all };
  }
  return size.pages === 1 ? { outcome: 'ok', value: all } : failed('unreadable', 'the list does not end');
}

/** Orders of the same millisecond are told again rather than left out. */
function justAfter(time: string): string {
  return isoText((parseInstant(time) + 1) as Instant);
}

const ORDER_ROWS = 500;
const FILL_ROWS = 100;
const PAGES_MAX = 100;
