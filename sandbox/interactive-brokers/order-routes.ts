// Orders, replies to questions, cancellations, and what became of them.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addDays, type Instant, instant, instantOfDate, isoText, utcDate } from '#units/instant.ts';
import { fromMicro, notional } from '#units/money.ts';
import { fromQuantity, quantity, quantityText } from '#units/quantity.ts';
import type { Contract, ContractList } from './contract-list.ts';
import type { FaultsOf } from './faults/wire.ts';
import { badRequest, type Gate } from './gate.ts';
import type { Execution, Order, OrderBook } from './order-book.ts';
import type { EntryAnswer, OrderEntry } from './order-entry.ts';

export function orderRoutes(
  app: FastifyInstance,
  tools: {
    readonly gate: Gate;
    readonly entry: OrderEntry;
    readonly orders: OrderBook;
    readonly contracts: ContractList;
    readonly bringUpToDate: () => Instant;
    readonly faultsOf: FaultsOf;
  },
): void {
  const { gate, entry, orders, contracts, bringUpToDate, faultsOf } = tools;

  app.post('/iserver/account/:accountId/orders', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const { accountId } = request.params as { accountId: string };
    if (accountId !== who.person.accountId)
      return badRequest(reply, `Bad Request: accountId is not valid: ${accountId}`);
    const { orders: tickets } = (request.body ?? {}) as { orders?: unknown };
    if (!Array.isArray(tickets) || tickets.length !== 1)
      return badRequest(reply, 'Bad Request: orders must hold one order');
    const { suppressed } = who.brokerage;
    const faults = faultsOf(request);
    return answer(reply, entry.submit(accountId, tickets[0], bringUpToDate(), suppressed, faults));
  });

  app.post('/iserver/reply/:replyId', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const { replyId } = request.params as { replyId: string };
    const confirmed = (request.body as { confirmed?: unknown } | null)?.confirmed === true;
    return answer(reply, entry.reply(who.person.accountId, replyId, confirmed, bringUpToDate()));
  });

  app.get('/iserver/account/orders', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const { force, filters } = request.query as { force?: string; filters?: string };
    const isPrimed = who.brokerage.ordersPrimed;
    who.brokerage.ordersPrimed = true;
    if (!isPrimed || force === 'true') return reply.send({ orders: [], snapshot: false });
    const at = bringUpToDate();
    const wanted = new Set(
      (filters ?? '').split(',').filter((word) => word !== '' && word !== 'sort_by_time'),
    );
    const shown = orders
      .shown(who.person.accountId, at)
      .filter((order) => isShown(order, at))
      .filter(({ status }) => wanted.size === 0 || wanted.has(FILTER_WORD[status]));
    return reply.send({
      orders: shown.map((order) =>
        orderRow(order, contracts.bySymbol(order.symbol), orders.averagePrice(order.orderId)),
      ),
      snapshot: true,
    });
  });

  app.get('/iserver/account/order/status/:orderId', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const at = bringUpToDate();
    const order = orders.find(Number((request.params as { orderId: string }).orderId));
    if (!order || !isShown(order, at) || order.accountId !== who.person.accountId)
      return reply.code(503).send({ error: 'order is not available', statusCode: 503 });
    return reply.send(statusRow(order, contracts.bySymbol(order.symbol), orders.averagePrice(order.orderId)));
  });

  app.get('/iserver/account/trades', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const at = bringUpToDate();
    const days = Number((request.query as { days?: string }).days ?? 1);
    if (!Number.isInteger(days) || days < 1 || days > 7)
      return badRequest(reply, 'Bad Request: days must be 1 to 7');
    const isAll = faultsOf(request).some((fault) => fault.kind === 'list' && fault.how === 'whole_history');
    const from = isAll ? instant(0) : (instantOfDate(addDays(utcDate(at), 1 - days)) as Instant);
    const { accountId, userName } = who.person;
    return reply.send(
      orders
        .executions(accountId, from)
        .filter(({ order }) => isShown(order, at))
        .map((execution) =>
          tradeRow(execution, contracts.bySymbol(execution.order.symbol), { accountId, userName }),
        ),
    );
  });

  app.delete('/iserver/account/:accountId/order/:orderId', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const { accountId, orderId } = request.params as { accountId: string; orderId: string };
    const at = bringUpToDate();
    const order = accountId === who.person.accountId ? orders.find(Number(orderId)) : null;
    if (!order || order.accountId !== accountId || !isWorking(order))
      return reply.send({ error: `OrderID ${orderId} doesn't exist` });
    entry.cancel(order, at, faultsOf(request));
    return reply.send({
      msg: 'Request was submitted',
      order_id: order.orderId,
      conid: contracts.bySymbol(order.symbol).conid,
      account: accountId,
    });
  });
}

function isShown({ hiddenUntil }: Order, at: Instant): boolean {
  return hiddenUntil === null || hiddenUntil <= at;
}

function isWorking({ status }: Order): boolean {
  return status === 'PreSubmitted' || status === 'Submitted' || status === 'PendingCancel';
}

function answer(reply: FastifyReply, outcome: EntryAnswer) {
  switch (outcome.kind) {
    case 'accepted':
      return reply.send([
        {
          order_id: String(outcome.order.orderId),
          order_status: outcome.order.status,
          encrypt_message: '1',
        },
      ]);
    case 'question':
      return reply.send([
        {
          id: outcome.replyId,
          message: [outcome.text],
          isSuppressed: false,
          messageIds: [outcome.messageId],
        },
      ]);
    case 'refused':
      if (outcome.status === 400) return badRequest(reply, outcome.error);
      return reply.send({ error: outcome.error });
  }
}

function orderRow(order: Order, contract: Contract, averagePrice: number | null) {
  const isOver = !isWorking(order);
  return {
    acct: order.accountId,
    account: order.accountId,
    conid: String(contract.conid),
    conidex: `${contract.conid}@${contract.exchange}`,
    orderId: order.orderId,
    order_ref: order.clientOrderId ?? undefined,
    cashCcy: contract.instrument.currency,
    ticker: contract.secType === 'CASH' ? contract.instrument.unitCurrency : contract.name,
    description1: contract.name,
    orderDesc: describe(order, contract),
    companyName: contract.instrument.name,
    secType: contract.secType,
    listingExchange: contract.exchange,
    exchange: contract.exchange,
    side: order.side,
    orderType: TYPE_WORD[order.orderType],
    origOrderType: TYPE_WORD[order.orderType].toUpperCase(),
    price: order.price === null ? '' : String(order.price),
    timeInForce: isOver ? 'CLOSE' : order.timeInForce,
    totalSize: quantityText(order.quantity),
    filledQuantity: quantityText(order.filled),
    remainingQuantity: quantityText(quantity(order.quantity - order.filled)),
    avgPrice: averagePrice === null ? '' : String(averagePrice),
    sizeAndFills: `${quantityText(order.filled)}/${quantityText(order.quantity)}`,
    status: order.status,
    order_ccp_status: order.status,
    order_cancellation_by_system_reason: order.note === '' ? undefined : order.note,
    lastExecutionTime: isoText(order.changedAt).replace(/\D/g, '').slice(2, 14),
    lastExecutionTime_r: String(order.changedAt),
  };
}

function statusRow(order: Order, contract: Contract, averagePrice: number | null) {
  const isOver = !isWorking(order);
  return {
    request_id: String(order.orderId % 100_000),
    order_id: order.orderId,
    conid: String(contract.conid),
    conidex: String(contract.conid),
    symbol: contract.name,
    side: order.side,
    contract_description_1: contract.name,
    listing_exchange: contract.exchange,
    company_name: contract.instrument.name,
    size: quantityText(quantity(order.quantity - order.filled)),
    total_size: quantityText(order.quantity),
    cum_fill: quantityText(order.filled),
    currency: contract.instrument.currency,
    account: order.accountId,
    order_type: TYPE_WORD[order.orderType].toUpperCase(),
    order_status: order.status,
    order_status_description: order.note === '' ? `Order ${order.status}` : order.note,
    order_ref: order.clientOrderId ?? undefined,
    tif: order.timeInForce,
    price: order.price === null ? undefined : String(order.price),
    order_not_editable: isOver,
    cannot_cancel_order: isOver,
    sec_type: contract.secType,
    order_description: describe(order, contract),
    order_clearing_account: order.accountId,
    average_price: averagePrice === null ? undefined : String(averagePrice),
    order_time: isoText(order.submittedAt).replace(/\D/g, '').slice(2, 14),
  };
}

function tradeRow(
  { executionId, order, quantity: size, price, commission, at }: Execution,
  contract: Contract,
  owner: { readonly accountId: string; readonly userName: string },
) {
  const verb = order.side === 'BUY' ? 'Bought' : 'Sold';
  return {
    execution_id: executionId,
    symbol: contract.secType === 'CASH' ? contract.instrument.unitCurrency : contract.name,
    supports_tax_opt: '0',
    side: order.side === 'BUY' ? 'B' : 'S',
    order_description: `${verb} ${quantityText(size)} @ ${price} on ${contract.exchange}`,
    trade_time: `${isoText(at).slice(0, 10).replaceAll('-', '')}-${isoText(at).slice(11, 19)}`,
    trade_time_r: at,
    size: fromQuantity(size),
    price: String(price),
    order_ref: order.clientOrderId ?? undefined,
    submitter: owner.userName,
    exchange: contract.exchange,
    commission: String(fromMicro(commission)),
    net_amount: fromMicro(notional(size, price, contract.instrument.multiplier)),
    account: owner.accountId,
    accountCode: owner.accountId,
    account_allocation_name: owner.accountId,
    company_name: contract.instrument.name,
    contract_description_1: contract.name,
    sec_type: contract.secType,
    listing_exchange: contract.exchange,
    conid: String(contract.conid),
    conidEx: String(contract.conid),
    clearing_id: 'SANDBOX',
    clearing_name: 'SANDBOX',
    liquidation_trade: '0',
    is_event_trading: '0',
    order_id: order.orderId,
  };
}

function describe(order: Order, contract: Contract): string {
  const verb = order.side === 'BUY' ? 'Buy' : 'Sell';
  const price = order.price === null ? '' : ` ${order.price}`;
  return `${verb} ${quantityText(order.quantity)} ${contract.name} ${TYPE_WORD[order.orderType]}${price}, ${order.timeInForce === 'DAY' ? 'Day' : 'GTC'}`;
}

const TYPE_WORD = { LMT: 'Limit', MKT: 'Market', STP: 'Stop' } as const;

const FILTER_WORD = {
  PreSubmitted: 'pre_submitted',
  Submitted: 'submitted',
  PendingCancel: 'pending_cancel',
  Inactive: 'inactive',
  Filled: 'filled',
  Cancelled: 'cancelled',
} as const;
