// A stand-in for Alpaca's trading API over simulated prices and practice money, written against its documentation
// alone: account, positions, orders, cancellations and fills of shares.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import { quantityText, toQuantity } from '#units/quantity.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import {
  type Account,
  type Activity,
  type Books,
  type Fill,
  isOpen,
  type NewOrder,
  type Order,
  openBooks,
} from './orders/books.ts';
import { createSignIn, type SignIn } from './sign-in/sign-in.ts';

export type StandIn = { readonly books: Books; readonly signIn: SignIn };

export function mountAlpaca(
  app: FastifyInstance,
  settings: {
    readonly prices: PriceSource;
    readonly now: () => Instant;
    readonly client: { readonly id: string; readonly secret: string };
  },
): StandIn {
  const { prices, now, client } = settings;
  const books = openBooks(prices);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  const signIn = createSignIn(app, books, client);
  const assetId = (symbol: string) => `asset-${symbol}`;
  const refuse = (reply: FastifyReply, status: number, code: number, message: string) =>
    reply.code(status).send({ code, message });
  const mine = (account: Account) => books.orders.filter((order) => order.account === account);
  const row = (order: Order) => orderRow(order, assetId(order.instrument.symbol));

  app.get('/v2/account', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const at = now();
    books.settle(at);
    const equity = String(fromMicro(books.equity(account, at)));
    return reply.send({
      id: `id-${account.number}`,
      account_number: account.number,
      status: 'ACTIVE',
      currency: 'USD',
      cash: String(fromMicro(account.cash)),
      equity,
      portfolio_value: equity,
      buying_power: String(fromMicro(books.buyingPower(account, at))),
      trading_blocked: false,
      account_blocked: false,
      shorting_enabled: true,
    });
  });

  app.get('/v2/positions', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const at = now();
    books.settle(at);
    const held = [...account.held].filter(([, units]) => units !== 0);
    return reply.send(
      held.map(([symbol, units]) => ({
        asset_id: assetId(symbol),
        symbol,
        asset_class: 'us_equity',
        qty: quantityText(units),
        side: units > 0 ? 'long' : 'short',
        avg_entry_price: String(averagePrice(books.fills, account, symbol)),
        current_price: String(books.price(symbol, at) ?? ''),
      })),
    );
  });

  app.post('/v2/orders', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const at = now();
    books.settle(at);
    const wanted = readOrder((request.body ?? {}) as Record<string, unknown>, account, prices);
    if (typeof wanted === 'string') return refuse(reply, 422, 42_210_000, wanted);
    if (mine(account).some(({ clientOrderId }) => clientOrderId === wanted.clientOrderId))
      return refuse(reply, 422, 40_010_001, 'client_order_id must be unique');
    const order = books.add(wanted, at);
    if (!order) return refuse(reply, 403, 40_310_000, 'insufficient buying power');
    return reply.send(row(order));
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
    return reply.send(sorted.slice(0, Math.min(500, Number(limit))).map(row));
  });

  app.get('/v2/orders/:id', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const { id } = request.params as { id: string };
    const order = mine(account).find((one) => one.id === id);
    return order ? reply.send(row(order)) : refuse(reply, 404, 40_410_000, `order not found for ${id}`);
  });

  app.delete('/v2/orders/:id', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    books.settle(now());
    const { id } = request.params as { id: string };
    const order = mine(account).find((one) => one.id === id);
    if (!order) return refuse(reply, 404, 40_410_000, `order not found for ${id}`);
    if (!isOpen(order)) return refuse(reply, 422, 42_210_000, `order is already in "${order.status}" state`);
    order.status = 'canceled';
    return reply.code(204).send();
  });

  app.get('/v2/account/activities', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const query = request.query as Record<string, string | undefined>;
    const types = query.activity_types?.split(',') ?? [];
    const all = books.activities
      .filter((one) => one.account === account && types.includes(one.type))
      .filter(({ at }) => query.after === undefined || at > parseInstant(query.after));
    const from = query.page_token === undefined ? 0 : all.findIndex(({ id }) => id === query.page_token) + 1;
    return reply.send(all.slice(from, from + Math.min(100, Number(query.page_size ?? 100))).map(activityRow));
  });

  app.get('/v2/account/activities/FILL', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    books.settle(now());
    const { after, page_size = '100', page_token } = request.query as Record<string, string | undefined>;
    const all = books.fills
      .filter(({ order }) => order.account === account)
      .filter(({ at }) => after === undefined || at > parseInstant(after));
    const from = page_token === undefined ? 0 : all.findIndex(({ id }) => id === page_token) + 1;
    return reply.send(all.slice(from, from + Math.min(100, Number(page_size))).map(fillRow));
  });

  return { books, signIn };
}

/** The order in a request, or the error in it. */
function readOrder(
  fields: Record<string, unknown>,
  account: Account,
  prices: PriceSource,
): NewOrder | string {
  const instrument = prices.instruments.find(({ symbol }) => symbol === fields.symbol);
  if (instrument?.kind !== 'equity') return `asset "${String(fields.symbol)}" not found`;
  const { side, type, time_in_force: timeInForce } = fields;
  if (side !== 'buy' && side !== 'sell') return 'invalid side';
  if (type !== 'limit' && type !== 'market' && type !== 'stop') return 'invalid order type';
  if (timeInForce !== 'day' && timeInForce !== 'gtc') return 'invalid time_in_force';
  const units = Number(fields.qty);
  if (!(units > 0)) return 'qty must be > 0';
  const limit = type === 'limit' ? Number(fields.limit_price) : null;
  const stop = type === 'stop' ? Number(fields.stop_price) : null;
  if (limit !== null && !(limit > 0)) return 'limit orders require a limit price';
  if (stop !== null && !(stop > 0)) return 'stop orders require a stop price';
  const clientOrderId = String(fields.client_order_id ?? '');
  if (clientOrderId.length > 128) return 'client_order_id must be no more than 128 characters';
  const quantity = toQuantity(units);
  return { account, clientOrderId, instrument, side, type, limit, stop, timeInForce, quantity };
}

function orderRow(order: Order, assetId: string) {
  const at = isoText(order.submittedAt);
  return {
    id: order.id,
    client_order_id: order.clientOrderId,
    created_at: at,
    submitted_at: at,
    asset_id: assetId,
    symbol: order.instrument.symbol,
    asset_class: 'us_equity',
    qty: quantityText(order.quantity),
    filled_qty: quantityText(order.filled),
    order_class: '',
    type: order.type,
    side: order.side,
    time_in_force: order.timeInForce,
    limit_price: order.limit === null ? null : String(order.limit),
    stop_price: order.stop === null ? null : String(order.stop),
    status: order.status,
    extended_hours: false,
  };
}

function fillRow({ id, order, quantity, price, leaves, at }: Fill) {
  return {
    id,
    activity_type: 'FILL',
    transaction_time: isoText(at),
    type: leaves === 0 ? 'fill' : 'partial_fill',
    price: String(price),
    qty: quantityText(quantity),
    side: order.side,
    symbol: order.instrument.symbol,
    leaves_qty: quantityText(leaves),
    order_id: order.id,
    cum_qty: quantityText(order.filled),
  };
}

/** As documented: amounts as text, the date of the payment, no symbol where there is none. */
function activityRow({ id, type, amount, symbol, units, at }: Activity) {
  return {
    id,
    activity_type: type,
    date: isoText(at).slice(0, 10),
    net_amount: String(fromMicro(amount)),
    ...(symbol === null ? {} : { symbol }),
    ...(units === null ? {} : { qty: quantityText(units) }),
  };
}

/** Over the fills on the side that was opened. */
function averagePrice(fills: readonly Fill[], account: Account, symbol: Symbol): number {
  const side = (account.held.get(symbol) ?? 0) > 0 ? 'buy' : 'sell';
  let units = 0;
  let paid = 0;
  for (const { order, quantity, price } of fills) {
    if (order.account !== account || order.instrument.symbol !== symbol || order.side !== side) continue;
    units += quantity;
    paid += quantity * price;
  }
  return units === 0 ? 0 : paid / units;
}
