// A small real venue behind the broker port: it keeps orders, matches them at the market's prices and remembers its
// executions. A test scripts its faults: lost answers, incomplete lists, executions reported twice.
import type { CashActivity } from '../../src/engine/cash/cash-activity.ts';
import { commissionOf, TRADING_COSTS } from '../../src/engine/market/costs.ts';
import type { InstrumentKind } from '../../src/engine/market/instrument.ts';
import type { UnreadList, UnreadRow } from '../../src/engine/execution/reconciliation/unread-rows.ts';
import type { QuestionTopic } from '../../src/engine/execution/orders/question-topic.ts';
import type { ApprovedOrder } from '../../src/engine/order/order.ts';
import type {
  Broker,
  BrokerExecution,
  BrokerFailure,
  BrokerOrder,
  BrokerSession,
  SubmitResult,
  SubmitTerms,
} from '../../src/ports/broker.ts';
import type { BrokerAccountId, ClientOrderId, ExecutionId, Symbol } from '../../src/units/identifiers.ts';
import type { IsoDate } from '../../src/units/instant.ts';
import { add, type Micro, toMicro } from '../../src/units/money.ts';
import { type Quantity, quantity } from '../../src/units/quantity.ts';
import { nextSession, sessionAt } from '../../src/engine/market/calendar.ts';
import type { SessionStatus } from '../../src/engine/execution/connection/session-health.ts';
import type { StandingRestriction } from '../../src/engine/execution/connection/account-terms.ts';
import { listAsRead, type ReadableRow } from './list-as-read.ts';
import type { ScriptedMarket } from './scripted-market.ts';
import { isAcrossStop, type SubmissionFault, type VenueOrder } from './venue-order.ts';
import { cashOfTrades, createPayments, positionOf } from './venue-cash.ts';

export type ScriptedVenue = {
  readonly broker: Broker;
  /** Every order that ever reached the venue. */
  readonly orders: VenueOrder[];
  readonly executions: { readonly accountId: BrokerAccountId; readonly execution: BrokerExecution }[];
  /** Taken one after the other by the next submissions. */
  readonly faults: (SubmissionFault | null)[];
  /** Every call of submitOrder, also of orders that never arrived. */
  readonly submissions: ClientOrderId[];
  /** Orders refused because of a stop on the other side, where the venue keeps them apart. */
  acrossStops: number;
  /** No order is shown while set, neither in the list nor by its id, as with a broker that lists late. */
  hidesOrders: boolean;
  /** How often each execution is reported, every second time in reverse order. */
  tellsExecutions: number;
  /** Fills at most this much of an order in one match; null is all of it. */
  fillsAtMost: Quantity | null;
  matches: boolean;
  /** Executions that the list leaves out, as with a broker that lists late. */
  readonly hides: Set<ExecutionId>;
  /** While false, executions come without their commission, as with a broker that states it later. */
  statesCommissions: boolean;
  /** The outcome of a cancellation: confirmed at once, confirmed later by the test, or overtaken by a fill. */
  cancellations: 'at once' | 'slow' | 'fill wins';
  /** Rows that lists cannot read, by the id of the order, the execution or, of a position, the instrument. */
  readonly spoilt: Set<string>;
  /** Rows of the account's owner that no list can read. */
  oddRows: readonly UnreadRow[];
  /**
   * Stops are of an earlier brokerage session: no list shows them, they cannot be requested, and a cancellation finds
   * nothing. They work all the same.
   */
  hidesStops: boolean;
  /** What it asks before it takes any order; null asks nothing. */
  asks: QuestionTopic | null;
  down: boolean;
  signedOut: boolean;
  /** What it says that no account may do. */
  standing: readonly StandingRestriction[];
  /** What the session reports of itself while the person is signed in. */
  sessionStatus: SessionStatus;
  /** Called before each call reaches the venue; may throw, or change something behind our back. Positions say whose. */
  onCall: ((call: string, accountId?: string) => void | Promise<void>) | null;
  match(): void;
  /** A trade that the person makes by hand. */
  tradeExternally(accountId: string, symbol: string, side: 'buy' | 'sell', units: number): void;
  position(accountId: string, symbol: string): number;
  /** A million dollars, and what trades, commissions and payments have moved. */
  cash(accountId: string): Micro;
  /** Money that comes, or goes when negative, for no trade: a deposit, a dividend. */
  pay(accountId: string, amount: Micro): void;
  /** The same, itemised: absent from the list of a broker that itemises nothing. */
  state(accountId: string, activity: Omit<CashActivity, 'activityId'>): void;
  /** Whether the broker itemises what moves cash; set before the first look of an account. */
  itemises: boolean;
  /** What an exercise or an assignment moves: units come or go without an execution. */
  deliver(accountId: string, symbol: string, units: number): void;
  /** The broker's own figure for the nth execution; negative for a rebate. */
  stateCommission(nth: number, commission: Micro): void;
  /** From now on reports an execution as its next revision and no longer in its old form. Returns the revision. */
  revise(old: BrokerExecution, change: Partial<BrokerExecution>): BrokerExecution;
};

export function scriptedVenue(
  market: ScriptedMarket,
  {
    stopKinds = [],
    keepsStopsApart = false,
  }: { readonly stopKinds?: readonly InstrumentKind[]; readonly keepsStopsApart?: boolean } = {},
): ScriptedVenue {
  const orders: VenueOrder[] = [];
  const delivered: { readonly accountId: string; readonly symbol: string; readonly quantity: number }[] = [];
  const payments = createPayments();
  const executions: ScriptedVenue['executions'] = [];
  const instrumentOf = (symbol: Symbol) => market.instruments.find((one) => one.symbol === symbol)!;

  const execute = (
    accountId: BrokerAccountId,
    trade: Omit<BrokerExecution, 'executionId' | 'commission' | 'at' | 'brokerInstrumentId'>,
  ) => {
    const instrument = instrumentOf(trade.symbol!);
    const { currency, unitCurrency } = instrument;
    const rate = currency !== 'USD' && unitCurrency === 'USD' ? 1 / trade.price : 1;
    executions.push({
      accountId,
      execution: {
        ...trade,
        executionId: `X${executions.length + 1}` as ExecutionId,
        brokerInstrumentId: trade.symbol!,
        commission: commissionOf(trade, instrument, { costs: TRADING_COSTS, rate }),
        at: market.now(),
      },
    });
  };

  const deliveredOf = (accountId: string, symbol: string) =>
    delivered
      .filter((one) => one.accountId === accountId && one.symbol === symbol)
      .reduce((sum, one) => sum + one.quantity, 0);

  const match = () => {
    for (const order of orders) {
      if (order.status !== 'working') continue;
      const price = market.price(order.symbol);
      const isOver = market.now() >= order.endsAt;
      if (venue.matches && market.isOpen(order.symbol) && tradesAt(order, price) && !isOver) {
        const part = quantity(Math.min(order.quantity - order.filled, venue.fillsAtMost ?? order.quantity));
        order.filled = quantity(order.filled + part);
        if (order.filled === order.quantity) order.status = 'filled';
        const { brokerOrderId, clientOrderId, symbol, side, accountId } = order;
        execute(accountId, { brokerOrderId, clientOrderId, symbol, side, quantity: part, price });
      } else if (isOver) order.status = 'expired';
    }
  };
  market.onMove(() => match());

  const fillNow = (order: VenueOrder) => {
    const part = quantity(order.quantity - order.filled);
    order.filled = order.quantity;
    order.status = 'filled';
    const { brokerOrderId, clientOrderId, symbol, side, accountId } = order;
    const price = market.price(symbol);
    execute(accountId, { brokerOrderId, clientOrderId, symbol, side, quantity: part, price });
  };

  const accept = (accountId: BrokerAccountId, order: ApprovedOrder, stopPrice: number | null): VenueOrder => {
    const { calendar } = instrumentOf(order.symbol);
    const accepted: VenueOrder = {
      brokerOrderId: `B${orders.length + 1}`,
      accountId,
      clientOrderId: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      quantity: order.quantity,
      limitPrice: order.limitPrice,
      stopPrice,
      endsAt: (sessionAt(calendar, market.now()) ?? nextSession(calendar, market.now())).closesAt,
      filled: 0 as Quantity,
      status: 'working',
    };
    orders.push(accepted);
    return accepted;
  };

  const submit = (
    accountId: BrokerAccountId,
    order: ApprovedOrder,
    stopPrice: number | null = null,
  ): SubmitResult => {
    venue.submissions.push(order.clientOrderId);
    const fault = venue.faults.shift() ?? null;
    if (keepsStopsApart && isAcrossStop(orders, accountId, { ...order, stopPrice })) {
      venue.acrossStops += 1;
      return { outcome: 'rejected', said: 'potential wash trade detected', refusal: 'opposite_order' };
    }
    if (fault === 'dies before') throw new Error('killed before the order left');
    if (fault === 'rejected') return { outcome: 'rejected', said: 'the venue does not like it' };
    if (fault === 'not sent') return { outcome: 'not_sent', code: 'unreachable', reason: 'no connection' };
    if (fault === 'lost, not accepted') return { outcome: 'unknown', reason: 'timed out' };
    const { brokerOrderId } = accept(accountId, order, stopPrice);
    if (fault === 'rejected, accepted') return { outcome: 'rejected', said: 'Anfrage nicht bearbeitet' };
    if (fault === 'lost, accepted') return { outcome: 'unknown', reason: 'timed out' };
    if (fault === 'dies after') throw new Error('killed after the order arrived');
    match();
    return { outcome: 'accepted', brokerOrderId };
  };

  const gate = async (call: string, accountId?: string): Promise<BrokerFailure | null> => {
    await venue.onCall?.(call, accountId);
    if (venue.signedOut) return { outcome: 'failed', code: 'unauthorized', reason: 'permission is gone' };
    return venue.down ? { outcome: 'failed', code: 'unreachable', reason: 'the venue is down' } : null;
  };

  const venue: ScriptedVenue = {
    orders,
    executions,
    faults: [],
    submissions: [],
    acrossStops: 0,
    hidesOrders: false,
    tellsExecutions: 1,
    fillsAtMost: null,
    matches: true,
    hides: new Set(),
    statesCommissions: true,
    itemises: false,
    cancellations: 'at once',
    hidesStops: false,
    spoilt: new Set(),
    oddRows: [],
    asks: null,
    down: false,
    signedOut: false,
    standing: [],
    sessionStatus: 'connected',
    onCall: null,
    match,
    tradeExternally: (accountId, symbol, side, units) =>
      execute(accountId as BrokerAccountId, {
        brokerOrderId: `hand-${executions.length}`,
        clientOrderId: null,
        symbol: symbol as Symbol,
        side,
        quantity: quantity(units * 1e8),
        price: market.price(symbol),
      }),
    position: (accountId, symbol) =>
      positionOf(executions, accountId, symbol) + deliveredOf(accountId, symbol),
    cash: (accountId) =>
      add(OPENING_CASH, ...payments.paid(accountId), ...cashOfTrades(executions, accountId, instrumentOf)),
    pay: payments.pay,
    state: payments.state,
    deliver: (accountId, symbol, units) => void delivered.push({ accountId, symbol, quantity: units * 1e8 }),
    stateCommission(nth, commission) {
      const { accountId, execution } = executions[nth]!;
      executions[nth] = { accountId, execution: { ...execution, commission } };
    },
    revise(old, change) {
      const nth = executions.findIndex(({ execution }) => execution === old);
      const { executionId, revisionStem: stem = executionId } = old;
      const revision = stem === executionId ? 2 : Number(executionId.slice(-2)) + 1;
      const id = `${stem}.${String(revision).padStart(2, '0')}` as ExecutionId;
      const execution = { ...old, ...change, executionId: id, revisionStem: stem };
      executions[nth] = { ...executions[nth]!, execution };
      return execution;
    },
    broker: {
      vendor: 'scripted',
      keepsMarketTime: true,
      limits: {
        executionHistoryDays: 7,
        listLagMs: 900_000,
        stopKinds,
        ...(keepsStopsApart && { keepsStopsApart }),
      },
      resetAt: () => null,
      beginAuthorization: async () => ({ outcome: 'failed', code: 'refused', reason: 'not in this venue' }),
      completeAuthorization: async () => ({
        outcome: 'failed',
        code: 'refused',
        reason: 'not in this venue',
      }),
      openSession: async () => (await gate('openSession')) ?? { outcome: 'ok', value: session },
    },
  };

  const isShown = ({ stopPrice }: VenueOrder) => !venue.hidesStops || stopPrice === null;
  const listed = (accountId: BrokerAccountId): BrokerOrder[] =>
    venue.hidesOrders
      ? []
      : orders
          .filter((order) => order.accountId === accountId && isShown(order))
          .map((order) => ({ ...order, brokerInstrumentId: order.symbol, note: '' }));

  const asRead = <Row extends ReadableRow>(list: UnreadList, rows: readonly Row[]) =>
    listAsRead(list, rows, venue);

  const question = (terms: SubmitTerms | undefined): SubmitResult | null =>
    venue.asks === null || (venue.asks === 'market_data' && terms?.withoutMarketData === true)
      ? null
      : { outcome: 'not_confirmed', topic: venue.asks, question: 'Are you sure?' };

  const session: BrokerSession = {
    accounts: async () => (await gate('accounts')) ?? { outcome: 'ok', value: [] },
    async cash(accountId) {
      const failure = await gate('cash', accountId);
      if (failure) return failure;
      const cash = venue.cash(accountId);
      return { outcome: 'ok', value: { currency: 'USD', cash, netLiquidation: cash } };
    },
    // A getter, so that a test decides it after the session was made.
    get cashActivities() {
      if (!venue.itemises) return undefined;
      return async (accountId: BrokerAccountId, since: IsoDate) => {
        const failure = await gate('cashActivities', accountId);
        return failure ?? ({ outcome: 'ok', value: payments.listed(accountId, since) } as const);
      };
    },
    async positions(accountId) {
      const failure = await gate('positions', accountId);
      if (failure) return failure;
      const symbols = [...new Set(executions.map(({ execution }) => execution.symbol!))];
      const value = symbols
        .map((symbol) => ({ symbol, quantity: quantity(venue.position(accountId, symbol)) }))
        .filter((position) => position.quantity !== 0)
        .map((position) => ({
          ...position,
          brokerInstrumentId: position.symbol,
          description: position.symbol,
          averagePrice: 0,
          marketPrice: null,
          currency: 'USD',
        }));
      return { outcome: 'ok', ...asRead('positions', value) };
    },
    async submitOrder(accountId, order, terms) {
      await venue.onCall?.('submitOrder');
      if (terms?.mayLeave?.() === false)
        return { outcome: 'not_sent', code: 'refused', reason: 'it may not leave any more' };
      return question(terms) ?? submit(accountId, order);
    },
    async submitStop(accountId, order, stopPrice, terms) {
      await venue.onCall?.('submitStop');
      if (terms?.mayLeave?.() === false)
        return { outcome: 'not_sent', code: 'refused', reason: 'it may not leave any more' };
      return question(terms) ?? submit(accountId, order, stopPrice);
    },
    async findOrder(accountId, brokerOrderId) {
      const failure = await gate('findOrder');
      if (failure) return failure;
      const found = orders.find(
        (order) =>
          isShown(order) &&
          !venue.hidesOrders &&
          order.accountId === accountId &&
          order.brokerOrderId === brokerOrderId,
      );
      const value = found === undefined ? null : { ...found, brokerInstrumentId: found.symbol, note: '' };
      return { outcome: 'ok', value };
    },
    async cancelOrder(_accountId, brokerOrderId) {
      const failure = await gate('cancelOrder');
      if (failure) return { outcome: 'unknown', reason: failure.reason };
      const order = orders.find((one) => one.brokerOrderId === brokerOrderId);
      if (order?.status !== 'working' || !isShown(order))
        return { outcome: 'refused', reason: 'there is nothing to cancel' };
      if (venue.cancellations === 'at once') order.status = 'cancelled';
      if (venue.cancellations === 'fill wins') fillNow(order);
      return { outcome: 'requested' };
    },
    orders: async (accountId) =>
      (await gate('orders')) ?? { outcome: 'ok', ...asRead('orders', listed(accountId)) },
    async openOrders(accountId) {
      const failure = await gate('openOrders');
      if (failure) return failure;
      const working = listed(accountId).filter(({ status }) => status === 'working');
      return { outcome: 'ok', ...asRead('orders', working) };
    },
    async executions(accountId, since) {
      const failure = await gate('executions');
      if (failure) return failure;
      const own = executions
        .filter((one) => one.accountId === accountId && one.execution.at >= since)
        .filter(({ execution }) => !venue.hides.has(execution.executionId))
        .map(({ execution }) => (venue.statesCommissions ? execution : { ...execution, commission: null }));
      const reported = Array.from({ length: venue.tellsExecutions }, (_, i) =>
        i % 2 === 0 ? own : own.toReversed(),
      );
      return { outcome: 'ok', ...asRead('executions', reported.flat()) };
    },
    accountTerms: () => ({
      standing: venue.standing,
      dayTradingPower: null,
      mayShort: true,
      mayTradeCoins: true,
      optionsLevel: 3,
    }),
    keepAlive: async () => (await gate('keepAlive')) ?? { outcome: 'ok', value: session.sessionState() },
    sessionState: () => ({ status: venue.signedOut ? 'signed_out' : venue.sessionStatus, detail: '' }),
    close: async () => undefined,
  };
  return venue;
}

/** A stop is let go once its price has traded. */
function tradesAt({ side, limitPrice, stopPrice, filled }: VenueOrder, price: number): boolean {
  if (stopPrice !== null) return filled > 0 || (side === 'sell' ? price <= stopPrice : price >= stopPrice);
  return side === 'buy' ? price <= limitPrice : price >= limitPrice;
}

const OPENING_CASH = toMicro(1_000_000);
