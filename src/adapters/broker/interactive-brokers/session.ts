// A broker session over the vendor's Web API.
import type {
  BrokerAccount,
  BrokerAnswer,
  BrokerExecution,
  BrokerOrder,
  BrokerPosition,
  BrokerSession,
  CancelResult,
  SubmitResult,
} from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { asText, type Fields, reading } from '../answer-fields.ts';
import { bodyOf, failed } from '../exchange.ts';
import { createAccountSelection } from './orders/account-selection.ts';
import type { Brokerage } from './inner-session/brokerage.ts';
import { errorText, failureOf } from './failure-of.ts';
import type { Connection } from './connection.ts';
import type { ContractBook } from './market-data/contracts.ts';
import { parseOrders, parseOrderStatus, parseTrades, type VendorInstrument } from './orders/parse-orders.ts';
import { parseLedger } from './portfolio/parse-portfolio.ts';
import { createMarketData } from './market-data/market-data.ts';
import { createPortfolio } from './portfolio/portfolio.ts';
import { createStream } from './stream/stream.ts';
import { type SubmitTools, submitOrder } from './orders/submit-order.ts';

/** The vendor keeps trades of seven days, the current one included. */
export const EXECUTION_HISTORY_DAYS = 7;

type SessionTools = SubmitTools & {
  readonly streamUrl: string | null;
  readonly sleep?: (ms: number) => Promise<void>;
};

export function createSession(tools: SessionTools): BrokerSession {
  const { connection, brokerage, contracts, streamUrl } = tools;
  const stream =
    streamUrl === null
      ? null
      : createStream({
          url: streamUrl,
          permit: () => connection.signIn(),
          brokerage,
          readExecutions: (rows) => executionsOfFrame(rows, contracts, brokerage),
        });
  const portfolio = createPortfolio(connection);
  const inTurn = createTurns();
  const selecting = createAccountSelection();
  const orders = createOrderList(brokerage, contracts);

  return {
    orders,
    async accounts(): Promise<BrokerAnswer<readonly BrokerAccount[]>> {
      return portfolio.accounts();
    },
    async positions(accountId): Promise<BrokerAnswer<readonly BrokerPosition[]>> {
      const rows = await portfolio.positions(accountId);
      return rows.outcome === 'failed' ? rows : named(rows.value, contracts, brokerage);
    },
    async cash(accountId) {
      const answer = await portfolio.ask(`/portfolio/${accountId}/ledger`);
      if (answer.outcome === 'failed') return answer;
      return reading(() => parseLedger(answer.value, portfolio.currencyOf(accountId)));
    },
    submitOrder(accountId, order, mayLeave): Promise<SubmitResult> {
      return inTurn(accountId, () =>
        selecting(accountId, () => submitOrder({ ...tools, mayLeave }, accountId, order)),
      );
    },
    submitStop(accountId, order, stopPrice, mayLeave): Promise<SubmitResult> {
      return inTurn(accountId, () =>
        selecting(accountId, () => submitOrder({ ...tools, mayLeave }, accountId, order, stopPrice)),
      );
    },
    cancelOrder(accountId, brokerOrderId) {
      return inTurn(accountId, () =>
        selecting(accountId, () => cancel(connection, brokerage, accountId, brokerOrderId)),
      );
    },
    async findOrder(accountId, brokerOrderId) {
      return selecting(accountId, () => findOrder(brokerage, contracts, { accountId, brokerOrderId }));
    },
    async openOrders(accountId) {
      const all = await orders(accountId);
      if (all.outcome === 'failed') return all;
      const open = all.value.filter(({ status }) => status === 'working' || status === 'attention');
      return { outcome: 'ok', value: open };
    },
    async executions(accountId, since) {
      return selecting(accountId, () => executions(brokerage, contracts, accountId, since));
    },
    keepAlive: () => brokerage.keepAlive(),
    sessionState: () => brokerage.state,
    marketData: createMarketData(brokerage, contracts, { sleep: tools.sleep, stream }),
    ...(stream === null ? {} : { onNews: stream.listen }),
    close() {
      stream?.close();
      return brokerage.close();
    },
  };
}

/** Reads the orders of an account. */
function createOrderList(brokerage: Brokerage, contracts: ContractBook) {
  /** The start of the inner session whose first list was asked for. */
  let primedStart = 0;
  const look = (query: Readonly<Record<string, string>>) =>
    brokerage.query({ method: 'GET', path: '/iserver/account/orders', query, priority: 'reconcile' });

  return async (accountId: BrokerAccountId): Promise<BrokerAnswer<readonly BrokerOrder[]>> => {
    for (let attempt = 1; ; attempt++) {
      const ready = await brokerage.ready();
      if (ready.outcome === 'failed') return ready;
      // The first list of a session is empty whatever there is; a forced one refreshes and is empty too.
      if (primedStart !== brokerage.starts) {
        const { starts } = brokerage;
        const primed = await look({ force: 'true', accountId });
        if (primed.outcome === 'failed') return primed;
        primedStart = starts;
      }
      const answer = await look({ accountId });
      if (answer.outcome === 'failed') return answer;
      // The session was restarted meanwhile: what came is its empty first list.
      if (primedStart !== brokerage.starts) {
        if (attempt === LISTS_MAX) return failed('no_session', 'the trading session does not stay');
        continue;
      }
      const list = reading(() => parseOrders(answer.value));
      if (list.outcome === 'failed') return list;
      if (list.value.snapshot || list.value.rows.length > 0 || attempt >= 2) {
        const mine = list.value.rows.filter((row) => row.account === null || row.account === accountId);
        return named(mine, contracts, brokerage);
      }
    }
  };
}

/** How often a list is asked for at most. */
const LISTS_MAX = 4;

async function executions(
  brokerage: Brokerage,
  contracts: ContractBook,
  accountId: BrokerAccountId,
  since: Instant,
): Promise<BrokerAnswer<readonly BrokerExecution[]>> {
  const answer = await brokerage.queryOf(accountId, {
    method: 'GET',
    path: '/iserver/account/trades',
    query: { days: String(EXECUTION_HISTORY_DAYS) },
    priority: 'reconcile',
  });
  if (answer.outcome === 'failed') return answer;
  const rows = reading(() => parseTrades(answer.value));
  if (rows.outcome === 'failed') return rows;
  const mine = rows.value
    .filter((row) => row.account === accountId && row.at >= since)
    .sort((left, right) => left.at - right.at);
  return named(mine, contracts, brokerage);
}

/** The vendor answers 503 for an order that it does not show, as it does when it is out of order itself. */
async function findOrder(
  brokerage: Brokerage,
  contracts: ContractBook,
  { accountId, brokerOrderId }: { readonly accountId: BrokerAccountId; readonly brokerOrderId: string },
) {
  const answer = await brokerage.queryOf(accountId, {
    method: 'GET',
    path: `/iserver/account/order/status/${encodeURIComponent(brokerOrderId)}`,
    priority: 'reconcile',
  });
  if (answer.outcome === 'failed')
    return /not available|doesn't exist|not found/i.test(answer.reason)
      ? ({ outcome: 'ok', value: null } as const)
      : answer;
  const row = reading(() => parseOrderStatus(answer.value));
  if (row.outcome === 'failed') return row;
  if (row.value.brokerOrderId !== brokerOrderId)
    return failed('unreadable', `the broker answered with order ${row.value.brokerOrderId}`);
  if (row.value.account !== null && row.value.account !== accountId)
    return failed('unreadable', `the broker answered with an order of the account ${row.value.account}`);
  const list = await named([row.value], contracts, brokerage);
  return list.outcome === 'failed' ? list : ({ outcome: 'ok', value: list.value[0] ?? null } as const);
}

async function executionsOfFrame(rows: unknown, contracts: ContractBook, brokerage: Brokerage) {
  const trades = reading(() => parseTrades(rows));
  if (trades.outcome === 'failed') return trades;
  const executed = await named(trades.value, contracts, brokerage);
  if (executed.outcome === 'failed') return executed;
  const value = executed.value.map(({ account, ...execution }) => ({ accountId: account, execution }));
  return { outcome: 'ok', value } as const;
}

async function cancel(
  connection: Connection,
  brokerage: Brokerage,
  accountId: BrokerAccountId,
  brokerOrderId: string,
): Promise<CancelResult> {
  const selected = await brokerage.select(accountId, 'cancel');
  if (selected.outcome === 'failed') return { outcome: 'unknown', reason: selected.reason };
  const result = await connection.query({
    method: 'DELETE',
    path: `/iserver/account/${accountId}/order/${encodeURIComponent(brokerOrderId)}`,
    priority: 'cancel',
  });
  if (result.kind !== 'answered') return { outcome: 'unknown', reason: result.reason };
  const said = errorText(result);
  if (said && result.status < 500 && /doesn.t exist|not found|(cannot|can.t) be cancel/i.test(said))
    return { outcome: 'refused', reason: said };
  const failure = failureOf(result);
  if (failure || said) return { outcome: 'unknown', reason: failure?.reason ?? said ?? '' };
  const first: unknown = Array.isArray(result.body) ? result.body[0] : bodyOf(result);
  if (typeof first === 'object' && first !== null && 'msg' in first) {
    const other = asText((first as Fields).order_id);
    if (other === null || other === brokerOrderId) return { outcome: 'requested' };
  }
  return { outcome: 'unknown', reason: 'the broker answered with something that is no cancel answer' };
}

/** Puts our symbol beside the vendor's instrument in each row. One that cannot be told fails the whole list. */
async function named<Row extends { readonly instrument: VendorInstrument }>(
  rows: readonly Row[],
  contracts: ContractBook,
  brokerage: Brokerage,
) {
  const value = [];
  for (const row of rows) {
    const symbol = await contracts.recognize(row.instrument, brokerage.query);
    if (symbol.outcome === 'failed') return symbol;
    const { instrument, ...rest } = row;
    value.push({
      ...rest,
      symbol: symbol.value,
      brokerInstrumentId: instrument.conid,
      description: instrument.name,
    });
  }
  return { outcome: 'ok' as const, value };
}

/** Runs what belongs to one account one after another. */
function createTurns() {
  const last = new Map<BrokerAccountId, Promise<unknown>>();
  return <Result>(accountId: BrokerAccountId, run: () => Promise<Result>): Promise<Result> => {
    const mine = (last.get(accountId) ?? Promise.resolve()).then(run, run);
    last.set(accountId, mine);
    return mine;
  };
}
