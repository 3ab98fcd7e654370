// Orders, replies to questions, cancellations, and what became of them.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addDays, type Instant, instant, instantOfDate, MINUTE_MS, utcDate } from '#units/instant.ts';
import type { ContractList } from '../market-data/contract-list.ts';
import type { Habits } from '../faults/habits.ts';
import type { FaultsOf } from '../faults/wire.ts';
import { badRequest, type Gate } from '../session/gate.ts';
import type { OrderBook } from './order-book.ts';
import { isOfSession, isReported, isShown, isWorking, orderRow, statusRow, tradeRow } from './order-rows.ts';
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
    readonly habits: Habits;
  },
): void {
  const { gate, entry, orders, contracts, bringUpToDate, faultsOf, habits } = tools;

  app.post('/iserver/account/:accountId/orders', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const { accountId } = request.params as { accountId: string };
    if (accountId !== who.person.accountId)
      return badRequest(reply, `Bad Request: accountId is not valid: ${accountId}`);
    const { orders: tickets } = (request.body ?? {}) as { orders?: unknown };
    if (!Array.isArray(tickets) || tickets.length !== 1)
      return badRequest(reply, 'Bad Request: orders must hold one order');
    const faults = faultsOf(request);
    return answer(reply, entry.submit(accountId, tickets[0], bringUpToDate(), who.brokerage, faults));
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
      .recent(who.person.accountId, at)
      .filter((order) => isShown(order, at, who.brokerage.id))
      .filter(({ status }) => wanted.size === 0 || wanted.has(FILTER_WORD[status]))
      .map((order) => orderRow(order, contracts.bySymbol(order.symbol), orders.averagePrice(order.orderId)));
    return reply.send({ orders: habits.orders(shown, who.person.accountId), snapshot: true });
  });

  app.get('/iserver/account/order/status/:orderId', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const at = bringUpToDate();
    const orderId = Number((request.params as { orderId: string }).orderId);
    const order = orders.find(orderId);
    if (!order || !isShown(order, at, who.brokerage.id) || order.accountId !== who.person.accountId)
      return reply.code(503).send(UNAVAILABLE[orderId % UNAVAILABLE.length]);
    return reply.send(statusRow(order, contracts.bySymbol(order.symbol), orders.averagePrice(order.orderId)));
  });

  app.get('/iserver/account/trades', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const at = bringUpToDate();
    const days = Number((request.query as { days?: string }).days ?? 1);
    if (!Number.isInteger(days) || days < 1 || days > 7)
      return badRequest(reply, 'Bad Request: days must be 1 to 7');
    const faults = faultsOf(request);
    const isAll = faults.some((fault) => fault.kind === 'list' && fault.how === 'whole_history');
    const from = isAll ? instant(0) : (instantOfDate(addDays(utcDate(at), 1 - days)) as Instant);
    const { accountId, userName } = who.person;
    const late = faults.find((fault) => fault.kind === 'late_commissions');
    const isUnstated = (execution: { readonly at: Instant }) =>
      late !== undefined && at - execution.at < late.minutes * MINUTE_MS;
    const rows = orders
      .executions(accountId, from)
      .filter(({ order }) => isReported(order, at))
      .map((execution) => ({
        ...tradeRow(execution, contracts.bySymbol(execution.order.symbol), { accountId, userName }),
        ...(isUnstated(execution) && { commission: late?.how }),
      }));
    return reply.send(habits.trades(rows, accountId, { from: isAll ? at : from, at }));
  });

  app.delete('/iserver/account/:accountId/order/:orderId', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const { accountId, orderId } = request.params as { accountId: string; orderId: string };
    const at = bringUpToDate();
    const order = accountId === who.person.accountId ? orders.find(Number(orderId)) : null;
    const isVisible = order?.accountId === accountId && isOfSession(order, who.brokerage.id);
    if (!order || !isVisible || !isWorking(order))
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

/** What the vendor says instead of an order of another session: as in an outage, in one word or another. */
const UNAVAILABLE = [
  { error: 'Service Unavailable', statusCode: 503 },
  { error: 'Der Dienst ist derzeit nicht verfügbar' },
  {},
] as const;

const FILTER_WORD = {
  PreSubmitted: 'pre_submitted',
  Submitted: 'submitted',
  PendingCancel: 'pending_cancel',
  Inactive: 'inactive',
  Filled: 'filled',
  Cancelled: 'cancelled',
} as const;
