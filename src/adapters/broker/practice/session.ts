// A session of one practice account. Every question first lets the account look at the market, so that its books are as
// of now, whichever process asks.
import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import { look, lookAndEnter } from '#engine/practice/look.ts';
import { type PracticeAccount, practiceOrderId, unchanged } from '#engine/practice/practice-account.ts';
import { valuePortfolio } from '#engine/portfolio/value.ts';
import type {
  BrokerAnswer,
  BrokerList,
  BrokerPosition,
  BrokerSession,
  CancelResult,
  SessionState,
  SubmitResult,
  SubmitTerms,
} from '#ports/broker.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import { fieldsOf, reading } from '../answer-fields.ts';
import { failed } from '../exchange.ts';
import { type Known, parseExecutions, parseOrder, parseOrders } from './parse-rows.ts';
import type { PracticeStore } from './practice-store.ts';
import type { MarketReader } from './read-market.ts';
import { tryStore } from './try-store.ts';

export type Venue = {
  readonly store: PracticeStore;
  readonly market: MarketReader;
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
};

/** `mine` is the account of the credentials: no other is read, and nothing is sent to another. */
export function createSession(mine: BrokerAccountId, venue: Venue): BrokerSession {
  const { store, market } = venue;
  let state: SessionState = { status: 'connected', detail: '' };
  const isClosed = () => state.status === 'closed';
  const known: Known = (symbol) => venue.findInstrument(symbol as Symbol)?.symbol ?? null;

  const ask = async <Value>(question: () => Promise<Value>): Promise<BrokerAnswer<Value>> => {
    if (isClosed()) return failed('no_session', 'the session is closed');
    const answer = await tryStore(question);
    if (isClosed()) return answer;
    state =
      answer.outcome === 'ok'
        ? { status: 'connected', detail: '' }
        : { status: 'lost', detail: answer.reason };
    return answer;
  };
  const only = async <Answer>(wanted: BrokerAccountId, run: () => Promise<Answer>) =>
    wanted === mine ? run() : refusal(mine, wanted);
  const lookNow = () => ask(() => lookAtMarket(mine, venue));
  const looked = async <Value>(question: () => Promise<Value>): Promise<BrokerAnswer<Value>> => {
    const now = await lookNow();
    return now.outcome === 'failed' ? now : ask(question);
  };

  const submit = async (
    wanted: BrokerAccountId,
    order: ApprovedOrder,
    { stopPrice, mayLeave }: { readonly stopPrice: number | null } & SubmitTerms,
  ): Promise<SubmitResult> => {
    if (wanted !== mine) return notSent('no_session', refusal(mine, wanted).reason);
    if (isClosed()) return notSent('no_session', 'the session is closed');
    const account = await ask(() => store.read(mine));
    if (account.outcome === 'failed') return notSent(account.code, account.reason);
    const clock = await market.clock();
    if (!clock.ok) return notSent('unreachable', clock.message);
    const seen = await market.read(account.value, clock.value, order.symbol);
    if (!seen.ok) return notSent('unreachable', seen.message);
    if (!seen.value.marks.has(order.symbol))
      return { outcome: 'rejected', said: `${order.symbol} has no price here` };
    if (mayLeave?.() === false) return notSent('refused', 'it was held back at the last moment');
    const orderId = practiceOrderId(order.clientOrderId);
    const entered = await ask(() =>
      store.change<SubmitResult>(mine, orderId, (before, earlier) => {
        if (earlier !== null)
          return { change: unchanged(before), result: { outcome: 'unknown', reason: 'it was taken before' } };
        const { change, entered: taken } = lookAndEnter(before, { ...order, stopPrice }, seen.value);
        if (taken.outcome === 'rejected') return { change, result: taken };
        return { change, result: { outcome: 'accepted', brokerOrderId: orderId } };
      }),
    );
    return entered.outcome === 'failed' ? { outcome: 'unknown', reason: entered.reason } : entered.value;
  };

  return {
    accounts: () =>
      ask(() => Promise.resolve([{ accountId: mine, title: 'Practice account', currency: 'USD' }])),
    positions: (accountId) =>
      only(accountId, async () => {
        const account = await looked(() => store.read(mine));
        return account.outcome === 'failed' ? account : positionsOf(account.value);
      }),
    cash: (accountId) =>
      only(accountId, async () => {
        const account = await looked(() => store.read(mine));
        if (account.outcome === 'failed') return account;
        return valueOf(account.value, venue);
      }),
    orders: (accountId) => only(accountId, () => lists('all')),
    openOrders: (accountId) => only(accountId, () => lists('open')),
    findOrder: (accountId, brokerOrderId) =>
      only(accountId, async () => {
        const row = await looked(() => store.findOrder(mine, brokerOrderId));
        if (row.outcome === 'failed' || row.value === null) return row as BrokerAnswer<null>;
        return reading(() => parseOrder(fieldsOf(row.value, 'an order'), known));
      }),
    executions: (accountId, since) =>
      only(accountId, async () => {
        const rows = await looked(() => store.listExecutions(mine, since));
        return rows.outcome === 'failed' ? rows : parseExecutions(rows.value, known);
      }),
    submitOrder: (accountId, order, terms) => submit(accountId, order, { ...terms, stopPrice: null }),
    submitStop: (accountId, order, stopPrice, terms) => submit(accountId, order, { ...terms, stopPrice }),
    async cancelOrder(accountId, brokerOrderId): Promise<CancelResult> {
      if (accountId !== mine) return { outcome: 'unknown', reason: refusal(mine, accountId).reason };
      const now = await lookNow();
      if (now.outcome === 'failed') return { outcome: 'unknown', reason: now.reason };
      const done = await ask(() => cancel(mine, brokerOrderId, store));
      return done.outcome === 'failed' ? { outcome: 'unknown', reason: done.reason } : done.value;
    },
    async keepAlive() {
      const seen = await ask(() => store.read(mine));
      return seen.outcome === 'failed' ? seen : { outcome: 'ok', value: state };
    },
    sessionState: () => state,
    close() {
      state = { status: 'closed', detail: '' };
      return Promise.resolve();
    },
  };

  async function lists(which: 'all' | 'open') {
    const clock = await market.clock();
    const since = (clock.ok ? clock.value.now - LATELY_MS : 0) as Instant;
    const rows = await looked(() => store.listOrders(mine, since));
    if (rows.outcome === 'failed') return rows;
    const read = parseOrders(rows.value, known);
    if (read.outcome === 'failed' || which === 'all') return read;
    return { ...read, value: read.value.filter(({ status }) => status === 'working') };
  }
}

/**
 * Where the feed fails, the books stay as of the last look: they are true, and orders wait. Nothing is asked of the feed
 * for an account without positions and orders.
 */
async function lookAtMarket(accountId: BrokerAccountId, { store, market }: Venue): Promise<null> {
  const account = await store.read(accountId);
  if (account.working.length === 0 && account.portfolio.positions.size === 0) return null;
  const clock = await market.clock();
  if (!clock.ok || clock.value.now <= account.lookedAt) return null;
  const seen = await market.read(account, clock.value);
  if (!seen.ok) return null;
  return store.change(accountId, null, (before) => ({ change: look(before, seen.value), result: null }));
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

function positionsOf({ portfolio }: PracticeAccount): BrokerList<BrokerPosition> {
  const value = [...portfolio.positions.values()].map(
    ({ symbol, quantity, cost }): BrokerPosition => ({
      symbol,
      brokerInstrumentId: symbol,
      description: symbol,
      quantity,
      averagePrice: fromMicro(cost) / fromQuantity(quantity),
      marketPrice: null,
      currency: null,
    }),
  );
  return { outcome: 'ok', value, unread: [] };
}

async function valueOf(account: PracticeAccount, { market }: Venue): ReturnType<BrokerSession['cash']> {
  const { cash, positions } = account.portfolio;
  if (positions.size === 0) return { outcome: 'ok', value: { currency: 'USD', cash, netLiquidation: cash } };
  const clock = await market.clock();
  if (!clock.ok) return failed('unreachable', clock.message);
  const seen = await market.read({ ...account, lookedAt: clock.value.now }, clock.value);
  if (!seen.ok) return failed('unreachable', seen.message);
  const { marks, instruments } = seen.value;
  return reading(() => {
    const { equity } = valuePortfolio(account.portfolio, marks, instruments);
    return { currency: 'USD', cash, netLiquidation: equity };
  });
}

function refusal(mine: BrokerAccountId, wanted: BrokerAccountId) {
  return failed('refused', `the session is of ${mine}, not of ${wanted}`);
}

function notSent(code: BrokerFailureCode, reason: string): SubmitResult {
  return { outcome: 'not_sent', code, reason };
}

/** Orders that ended this lately are still listed. */
const LATELY_MS = 3 * DAY_MS;
