// The end of a session in the brokerage's books: splits, dividends, swaps, expiries, exercises and assignments of what
// the accounts hold then,
// by the same rules of the kinds that backtests use.
import type { DatabaseSync } from 'node:sqlite';
import { nextSession, nextTradingDay, previousSession } from '#engine/market/calendar.ts';
import { deliveryLegs } from '#engine/market/derivatives/delivery-legs.ts';
import { type Delivery, type PositionEvent, isDelivery } from '#engine/market/position-event.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { inEndOfDayOrder, type UnderlyingEndOfDay } from '#engine/market/kinds/kind-rules.ts';
import { KIND_RULES } from '#engine/market/kinds/rules-of.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant, type IsoDate } from '#units/instant.ts';
import { fromMicro, micro, ZERO_MICRO } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { AccountBook, HeldPosition } from './account-book.ts';
import type { ContractList } from '../market-data/contract-list.ts';
import { atomically } from '../database.ts';
import type { OrderBook } from '../orders/order-book.ts';

type EndOfDay = {
  /** Processes every session that has ended by `to`; calls `before` with each end first, to fill the orders that are due. */
  passUntil(to: Instant, before: (end: Instant) => void): void;
};

type Close = { readonly calendar: CalendarId; readonly date: IsoDate; readonly end: Instant };

const CALENDARS: readonly CalendarId[] = ['us-equity', 'forex', 'crypto'];

export function createEndOfDay(input: {
  readonly database: DatabaseSync;
  readonly contracts: ContractList;
  readonly prices: PriceSource;
  readonly accounts: AccountBook;
  readonly orders: OrderBook;
}): EndOfDay {
  const { database, contracts, prices, accounts, orders } = input;
  const passed = database.prepare('SELECT passed_until FROM nights');
  const save = database.prepare(
    `INSERT INTO nights (only_row, passed_until) VALUES (1, ?)
     ON CONFLICT (only_row) DO UPDATE SET passed_until = max(passed_until, excluded.passed_until)`,
  );
  const holders = database.prepare(
    'SELECT account_id, symbol FROM positions WHERE quantity <> 0 ORDER BY account_id, symbol',
  );

  const closeOf = (symbol: Symbol, date: IsoDate, end: Instant): number | null =>
    prices.dailyBars(symbol, { from: date, to: date, asOf: end })[0]?.close ?? accounts.price(symbol, end);
  const actionsOf = (symbol: Symbol, end: Instant) =>
    (prices.actions?.(end) ?? []).filter((action) => action.symbol === symbol);

  const underlyingOf = (
    accountId: string,
    symbol: Symbol,
    { date, end }: { readonly date: IsoDate; readonly end: Instant },
  ): UnderlyingEndOfDay | null => {
    const underlying = parseOption(symbol)?.underlying;
    const close = underlying === undefined ? null : closeOf(underlying, date, end);
    if (underlying === undefined || close === null) return null;
    const held = accounts.position(accountId, underlying).quantity;
    return { close, actions: actionsOf(underlying, end), held };
  };

  /** Contracts leave at what they were entered for; the shares take that premium into their price. */
  const deliver = (accountId: string, event: Delivery, at: Instant) => {
    const held = accounts.position(accountId, event.symbol);
    const cost = micro(roundHalfEven((held.cost * event.contracts) / held.quantity));
    for (const { symbol, side, quantity: size, price } of deliveryLegs(event, cost)) {
      const { instrument } = contracts.bySymbol(symbol);
      const signed = quantity(side === 'buy' ? size : -size);
      accounts.apply(accountId, instrument, { quantity: signed, price, commission: ZERO_MICRO, at });
    }
  };

  const passOne = (accountId: string, symbol: Symbol, { calendar, date, end }: Close) => {
    const { instrument } = contracts.bySymbol(symbol);
    const { overnight } = KIND_RULES[instrument.kind];
    if (instrument.calendar !== calendar || overnight === null) return;
    const { quantity: held } = accounts.position(accountId, symbol);
    const close = closeOf(symbol, date, end);
    // Shares may have been called away by the options before them.
    if (close === null || held === 0) return;
    const probe = accounts.inDollars(instrument, micro(RATE_PROBE), end);
    const events = overnight({
      instrument,
      held,
      date,
      next: nextTradingDay(calendar, date),
      close,
      rate: fromMicro(probe) / fromMicro(micro(RATE_PROBE)),
      actions: actionsOf(symbol, end),
      underlying: underlyingOf(accountId, symbol, { date, end }),
    });
    for (const event of events) {
      if (isDelivery(event)) deliver(accountId, event, end);
      else {
        const change = changeBy(event, accounts.position(accountId, symbol));
        accounts.happen(accountId, instrument, { ...change, at: end });
      }
    }
  };

  /** The vendor cancels GTC orders when their instrument splits. */
  const cancelSplit = (calendar: CalendarId, date: IsoDate, end: Instant) => {
    const next = nextTradingDay(calendar, date);
    for (const order of orders.working.all()) {
      const { instrument } = contracts.bySymbol(order.symbol);
      if (order.timeInForce !== 'GTC' || instrument.calendar !== calendar) continue;
      const splits = actionsOf(instrument.symbol, end).some(
        ({ kind, exDate }) => kind === 'split' && exDate > date && exDate <= next,
      );
      if (splits) orders.end(order, end, 'Cancelled by a corporate action.');
    }
  };

  const processSession = (calendar: CalendarId, date: IsoDate, end: Instant) => {
    cancelSplit(calendar, date, end);
    const rows = Map.groupBy(holders.all(), (row) => String(row.account_id));
    for (const [accountId, held] of rows) {
      const symbols = held.map((row) => String(row.symbol) as Symbol);
      for (const symbol of inEndOfDayOrder(symbols)) passOne(accountId, symbol, { calendar, date, end });
    }
  };
  /** Nothing ends before. */
  let next = instant(0);
  return {
    passUntil(to, before) {
      if (to < next) return;
      const row = passed.get();
      if (row === undefined) save.run(to);
      let ends = endsAfter(instant(Number(row?.passed_until ?? to)));
      for (; ends[0].at <= to; ends = endsAfter(ends[0].at)) {
        const { at } = ends[0];
        before(at);
        atomically(database, () => {
          for (const { calendar, date } of ends.filter((end) => end.at === at))
            processSession(calendar, date, at);
          save.run(at);
        });
      }
      next = ends[0].at;
    },
  };
}

type SessionEnd = { readonly calendar: CalendarId; readonly date: IsoDate; readonly at: Instant };

/** The next end of a session of each calendar, earliest first. */
function endsAfter(from: Instant): [SessionEnd, ...SessionEnd[]] {
  const ends = CALENDARS.map((calendar) => {
    const opened = previousSession(calendar, from);
    let next = nextSession(calendar, instant(opened.opensAt));
    while (next.closesAt <= from) next = nextSession(calendar, next.opensAt);
    return { calendar, date: next.date, at: next.closesAt };
  });
  return ends.sort((left, right) => left.at - right.at) as [SessionEnd, ...SessionEnd[]];
}

function changeBy(event: Exclude<PositionEvent, Delivery>, held: HeldPosition) {
  switch (event.type) {
    case 'split':
      return {
        traded: quantity(roundHalfEven(held.quantity * (event.ratio - 1))),
        price: null,
        paid: ZERO_MICRO,
      };
    case 'expiry':
      return { traded: quantity(-held.quantity), price: event.price, paid: ZERO_MICRO };
    default:
      return {
        traded: quantity(0),
        price: null,
        paid: micro(roundHalfEven((held.quantity * event.perUnit) / 100)),
      };
  }
}

const RATE_PROBE = 1e12;
