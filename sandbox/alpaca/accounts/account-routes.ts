// The account at the stand-in for Alpaca: its cash and flags, its positions, and what moved its cash.
import type { FastifyInstance } from 'fastify';
import { type Billionths, billionthsText } from '#units/billionths.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import { quantityText } from '#units/quantity.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { Books } from '../orders/books.ts';
import type { Account, Activity, Fill } from '../orders/order.ts';
import { coinsHeld } from '../orders/coin-fees.ts';
import { assetClass, assetId, fillRow } from '../orders/order-rows.ts';
import { instrumentOf, nameOf } from '../orders/instrument-named.ts';
import type { SignIn } from '../sign-in/sign-in.ts';

export function accountRoutes(
  app: FastifyInstance,
  tools: {
    readonly books: Books;
    readonly signIn: SignIn;
    readonly prices: PriceSource;
    readonly now: () => Instant;
  },
): void {
  const { books, signIn, prices, now } = tools;

  app.get('/v2/account', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const at = now();
    books.settle(at);
    const equity = String(fromMicro(books.equity(account, at)));
    const { flags } = account;
    return reply.send({
      id: account.id,
      account_number: account.number,
      status: flags.status,
      crypto_status: flags.cryptoStatus,
      currency: 'USD',
      cash: String(fromMicro(account.cash)),
      equity,
      portfolio_value: equity,
      buying_power: String(fromMicro(books.buyingPower(account, at))),
      trading_blocked: flags.tradingBlocked,
      account_blocked: flags.accountBlocked,
      transfers_blocked: flags.transfersBlocked,
      daytrade_count: flags.isOutOfDayTrades ? 3 : 0,
      daytrading_buying_power: String(flags.patternDayTrader ? flags.dayTradingBuyingPower : 0),
      multiplier: flags.patternDayTrader ? '4' : '2',
      non_marginable_buying_power: String(fromMicro(books.buyingPower(account, at))),
      options_approved_level: String(flags.optionsApprovedLevel),
      options_trading_level: String(flags.optionsTradingLevel),
      trade_suspended_by_user: flags.tradeSuspendedByUser,
      pattern_day_trader: flags.patternDayTrader,
      shorting_enabled: flags.shortingEnabled,
    });
  });

  app.get('/v2/positions', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    const at = now();
    books.settle(at);
    const held = [...account.held].filter(([, units]) => units !== 0);
    return reply.send(
      held.flatMap(([symbol, units]) => {
        const instrument = instrumentOf(prices, symbol)!;
        const isCoin = instrument.kind === 'crypto';
        const qty = isCoin ? billionthsText(coinsHeld(account, symbol)) : quantityText(units);
        if (qty === '0') return [];
        return {
          asset_id: assetId(symbol),
          // A pair of coins has no slash here.
          symbol: nameOf(instrument).replace('/', ''),
          exchange: isCoin ? 'CRYPTO' : 'NYSE',
          asset_marginable: instrument.kind === 'equity',
          asset_class: assetClass(instrument),
          qty,
          side: units > 0 ? 'long' : 'short',
          ...worthOf(
            Number(qty) * instrument.multiplier,
            averagePrice(books.fills, account, symbol),
            books.price(symbol, at) ?? 0,
          ),
        };
      }),
    );
  });

  app.get('/v2/account/activities', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    books.settle(now());
    const query = request.query as Query;
    const types = query.activity_types?.split(',') ?? [];
    const wanted = books.activities.filter((one) => one.account === account && types.includes(one.type));
    return reply.send(pageOf(wanted, query).map(activityRow));
  });

  app.get('/v2/account/activities/FILL', (request, reply) => {
    const account = signIn.caller(request, reply);
    if (!account) return reply;
    books.settle(now());
    const wanted = books.fills.filter(({ order }) => order.account === account);
    return reply.send(pageOf(wanted, request.query as Query).map(fillRow));
  });
}

type Query = Readonly<Record<string, string | undefined>>;

function pageOf<Row extends { readonly id: string; readonly at: Instant }>(
  rows: readonly Row[],
  { after, page_size = '100', page_token }: Query,
): readonly Row[] {
  const listed = rows.filter(({ at }) => after === undefined || at > parseInstant(after));
  const from = page_token === undefined ? 0 : listed.findIndex(({ id }) => id === page_token) + 1;
  return listed.slice(from, from + Math.min(100, Number(page_size)));
}

/** As documented: amounts as text, the date of the payment, no symbol where there is none. */
function activityRow(activity: Activity) {
  const { id, type, subType, description, amount, symbol, units, at, coins, price, date } = activity;
  const { status = 'executed', previousId } = activity;
  return {
    id,
    activity_type: type,
    ...(subType === undefined ? {} : { activity_sub_type: subType }),
    date: date ?? isoText(at).slice(0, 10),
    net_amount: String(fromMicro(amount)),
    status,
    ...(previousId === undefined ? {} : { previous_id: previousId }),
    ...(description === undefined ? {} : { description }),
    ...(symbol === null ? {} : { symbol }),
    ...(units === null ? {} : { qty: quantityText(units) }),
    ...(coins === undefined ? {} : { qty: billionthsText(-coins as Billionths) }),
    ...(price === undefined ? {} : { price: String(price) }),
  };
}

/** As text; of the day before nothing is kept. */
function worthOf(units: number, entry: number, price: number) {
  const gain = units * (price - entry);
  const share = entry === 0 ? 0 : (price - entry) / entry;
  return {
    avg_entry_price: String(entry),
    current_price: String(price),
    lastday_price: String(price),
    change_today: '0',
    market_value: String(units * price),
    cost_basis: String(units * entry),
    unrealized_pl: String(gain),
    unrealized_plpc: String(share),
    unrealized_intraday_pl: String(gain),
    unrealized_intraday_plpc: String(share),
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
