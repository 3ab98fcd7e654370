// A broker session over the vendor's trading API. The vendor has no sessions: each request is independent.
import type { AccountTerms } from '#engine/execution/connection/account-terms.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import type {
  BrokerAnswer,
  BrokerCredentials,
  BrokerSession,
  CancelResult,
  SessionState,
  SubmitResult,
} from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId } from '#units/identifiers.ts';
import { fieldsOf, reading, textOf } from '../answer-fields.ts';
import { OUR_SYMBOLS } from '../broker-tickers.ts';
import { bodyOf, failed } from '../exchange.ts';
import { parseAccountTerms } from './account-terms.ts';
import { listAssignments } from './assignments.ts';
import { listCashActivities } from './cash-activities.ts';
import type { AlpacaConfig } from './config.ts';
import { type Connection, failureOf, messageOf } from './connection.ts';
import { createOrderLists, unreadRows } from './order-lists.ts';
import { optionName, optionSymbol } from '../option-names.ts';
import { type Known, parseAccount, parseOrder, parsePositions } from './parse-answers.ts';
import { plainName } from './coins.ts';
import { createTradingStream } from './stream/trading-stream.ts';
import { submitOrder } from './submit-order.ts';

/** `opened` is the account that the credentials are for: nothing is read from it, or sent to it, under another's number. */
export function createSession(
  connection: Connection,
  config: Pick<AlpacaConfig, 'findInstrument' | 'tickers' | 'baseUrl' | 'streamUrl'> & {
    readonly credentials: BrokerCredentials;
  },
  /** As the session opens. */
  opened: { readonly accountId: BrokerAccountId; readonly terms: AccountTerms },
): BrokerSession {
  const { accountId: mine } = opened;
  let { terms } = opened;
  const { findInstrument, credentials, tickers = OUR_SYMBOLS } = config;
  const known: Known = (ticker) => {
    const symbol = optionSymbol(ticker, tickers()) ?? tickers().symbolOf(plainName(ticker));
    return symbol === null ? null : (findInstrument(symbol)?.symbol ?? null);
  };
  const ask = (path: string, query?: Readonly<Record<string, string>>) =>
    connection.query({ path, query, priority: 'reconcile' });
  const lists = createOrderLists(ask, known, (symbol) => findInstrument(symbol)?.kind === 'crypto');
  const stream = createTradingStream({
    url: config.streamUrl ?? `${config.baseUrl.replace(/^http/, 'ws')}/stream`,
    credentials,
    accountId: mine,
    executions: lists.executions,
    noteOrder: lists.noteOrder,
  });

  const account = async () => {
    const answer = await ask('/v2/account');
    if (answer.outcome === 'failed') return answer;
    return reading(() => {
      const found = parseAccount(answer.value);
      if (found.accountId === mine) terms = parseAccountTerms(answer.value);
      return found;
    });
  };

  const refusal = (wanted: BrokerAccountId) =>
    failed('refused', `the permission is for ${mine}, not for ${wanted}`);
  const only = async <Answer>(wanted: BrokerAccountId, run: () => Promise<Answer>) =>
    wanted === mine ? run() : refusal(wanted);
  const submit = async (
    wanted: BrokerAccountId,
    order: ApprovedOrder,
    terms: { readonly stopPrice?: number; readonly mayLeave?: (() => boolean) | undefined },
  ): Promise<SubmitResult> => {
    const { reason } = refusal(wanted);
    if (wanted !== mine) return { outcome: 'not_sent', code: 'no_session', reason };
    const ticker = optionName(order.symbol, tickers()) ?? tickers().tickerOf(order.symbol);
    return submitOrder(connection, order, { instrument: findInstrument(order.symbol), ticker, ...terms });
  };

  return {
    async accounts() {
      const found = await account();
      if (found.outcome === 'failed') return found;
      const { accountId, title, currency, isPaper } = found.value;
      return { outcome: 'ok', value: [{ accountId, title, currency, isPaper }] };
    },
    cash: (accountId) =>
      only(accountId, async () => {
        const found = await account();
        if (found.outcome === 'failed') return found;
        const { currency, cash, netLiquidation } = found.value;
        return { outcome: 'ok', value: { currency, cash, netLiquidation } };
      }),
    cashActivities: (accountId, since) => only(accountId, () => listCashActivities(ask, known, since)),
    assignments: (accountId, since) => only(accountId, () => listAssignments(ask, known, since)),
    positions: (accountId) =>
      only(accountId, async () => {
        const answer = await ask('/v2/positions');
        if (answer.outcome === 'failed') return answer;
        const list = reading(() => parsePositions(answer.value, known));
        if (list.outcome === 'failed') return list;
        const { rows, spoilt } = list.value;
        return { outcome: 'ok', value: rows, unread: unreadRows('positions', spoilt, known) };
      }),
    orders: (accountId) => only(accountId, () => lists.orders()),
    findOrder: (accountId, brokerOrderId) =>
      only(accountId, () => findOrder(connection, brokerOrderId, known)),
    knowsOrder: (accountId, clientOrderId) => only(accountId, () => knowsOrder(connection, clientOrderId)),
    openOrders: (accountId) =>
      only(accountId, async () => {
        const all = await lists.orders();
        if (all.outcome === 'failed') return all;
        const open = all.value.filter(({ status }) => status === 'working' || status === 'attention');
        return { ...all, value: open };
      }),
    executions: (accountId, since) => only(accountId, () => lists.executions(since)),
    submitOrder: (accountId, order, terms) => submit(accountId, order, { mayLeave: terms?.mayLeave }),
    submitStop: (accountId, order, stopPrice, terms) =>
      submit(accountId, order, { stopPrice, mayLeave: terms?.mayLeave }),
    async cancelOrder(accountId, brokerOrderId) {
      if (accountId === mine) return cancel(connection, brokerOrderId);
      return { outcome: 'unknown', reason: refusal(accountId).reason };
    },
    async keepAlive(): Promise<BrokerAnswer<SessionState>> {
      const found = await account();
      return found.outcome === 'failed' ? found : { outcome: 'ok', value: connection.state };
    },
    accountTerms: () => terms,
    sessionState: () => connection.state,
    onNews: stream.listen,
    streamStretch: stream.stretch,
    async close() {
      stream.close();
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

/** By the address of the vendor's own client library; the description leaves it out. */
async function knowsOrder(
  connection: Connection,
  clientOrderId: ClientOrderId,
): Promise<BrokerAnswer<boolean>> {
  const result = await connection.send({
    method: 'GET',
    path: '/v2/orders:by_client_order_id',
    query: { client_order_id: clientOrderId },
    priority: 'reconcile',
  });
  if (result.kind === 'answered' && result.status === 404) return { outcome: 'ok', value: false };
  const isIt = () => textOf(fieldsOf(bodyOf(result), 'an order'), 'client_order_id') === clientOrderId;
  return failureOf(result) ?? reading(isIt);
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
