// Orders at the stand-in for Alpaca: sent, listed, found, cancelled.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Instant, parseInstant } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { Books } from './books.ts';
import { type Account, isOpen } from './order.ts';
import { orderRow } from './order-rows.ts';
import { findRefusal, insufficientBuyingPower, type Terms } from './protections.ts';
import { readOrder } from './read-order.ts';

export function orderRoutes(
  app: FastifyInstance,
  tools: {
    readonly books: Books;
    readonly signIn: SignIn;
    readonly prices: PriceSource;
    readonly terms: Terms;
    readonly now: () => Instant;
  },
): void {
  const { books, signIn, prices, terms, now } = tools;
  const refuse = (reply: FastifyReply, status: number, code: number, message: string) =>
    reply.code(status).send({ code, message });
  const mine = (account: Account) => books.orders.filter((order) => order.account === account);

  app.post('/v2/orders', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const at = now();
    books.settle(at);
    const wanted = readOrder((request.body ?? {}) as Record<string, unknown>, account, prices);
    if (typeof wanted === 'string') return refuse(reply, 422, 42_210_000, wanted);
    if (mine(account).some(({ clientOrderId }) => clientOrderId === wanted.clientOrderId))
      return refuse(reply, 422, 40_010_001, 'client_order_id must be unique');
    const refusal = findRefusal(wanted, { books, terms, at });
    if (refusal !== null) return reply.code(refusal.status).send(refusal.body);
    const order = books.add(wanted, at);
    if (order) return reply.send(orderRow(order));
    const { status, body } = insufficientBuyingPower(books.buyingPower(account, at));
    return reply.code(status).send(body);
  });

  app.get('/v2/orders', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    books.settle(now());
    const {
      status = 'open',
      limit = '50',
      until,
      direction,
    } = request.query as Record<string, string | undefined>;
    const wanted = mine(account)
      .filter((order) => status === 'all' || isOpen(order) === (status === 'open'))
      .filter(({ submittedAt }) => until === undefined || submittedAt < parseInstant(until));
    const sorted = direction === 'asc' ? wanted : wanted.toReversed();
    return reply.send(sorted.slice(0, Math.min(500, Number(limit))).map(orderRow));
  });

  // A colon in an address of its own stands for itself.
  app.get('/v2/orders::by_client_order_id', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    books.settle(now());
    const { client_order_id: id } = request.query as Record<string, string | undefined>;
    const order = mine(account).find((one) => one.clientOrderId === id);
    return order ? reply.send(orderRow(order)) : refuse(reply, 404, 40_410_000, `order not found for ${id}`);
  });

  app.get('/v2/orders/:id', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const { id } = request.params as { id: string };
    const order = mine(account).find((one) => one.id === id);
    return order ? reply.send(orderRow(order)) : refuse(reply, 404, 40_410_000, `order not found for ${id}`);
  });

  app.delete('/v2/orders/:id', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    books.settle(now());
    const { id } = request.params as { id: string };
    const order = mine(account).find((one) => one.id === id);
    if (!order) return refuse(reply, 404, 40_410_000, `order not found for ${id}`);
    if (!isOpen(order)) return refuse(reply, 422, 42_210_000, `order is already in "${order.status}" state`);
    books.cancel(order, now());
    return reply.code(204).send();
  });
}
