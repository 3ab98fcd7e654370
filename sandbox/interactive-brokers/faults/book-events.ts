// Events in an account that no call of the adapter causes: the person trades by hand, withdraws money, signs in elsewhere.
import type { DatabaseSync } from 'node:sqlite';
import { sessionAt } from '#engine/market/calendar.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { type Instant, instant } from '#units/instant.ts';
import { micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import type { AccountBook } from '../accounts/account-book.ts';
import type { ContractList } from '../market-data/contract-list.ts';
import { atomically } from '../database.ts';
import type { Matching } from '../orders/matching.ts';
import type { Execution, OrderBook, Revision } from '../orders/order-book.ts';
import type { People, Person } from '../sign-in/people.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Fault } from './fault-script.ts';

type BookEvents = {
  /** Applies a fault to the person who owns `account`, or to all persons. Other kinds of faults do nothing here. */
  happen(fault: Fault, account: string | null, at: Instant): void;
};

export function createBookEvents(books: {
  readonly database: DatabaseSync;
  readonly people: People;
  readonly sessions: Sessions;
  readonly contracts: ContractList;
  readonly accounts: AccountBook;
  readonly orders: OrderBook;
  readonly matching: Matching;
}): BookEvents {
  const { database, people, sessions, contracts, accounts, orders, matching } = books;

  const tradeExternally = (
    { symbol, side, units }: Extract<Fault, { kind: 'external_trade' }>,
    accountId: string,
    at: Instant,
  ) => {
    const order = orders.add({
      accountId,
      clientOrderId: null,
      symbol: contracts.bySymbol(symbol).instrument.symbol,
      side,
      orderType: 'MKT',
      price: null,
      timeInForce: 'DAY',
      quantity: toQuantity(units),
      submittedAt: at,
      expiresAt: null,
      sessionId: null,
    });
    if (order) matching.fillNow(order, at);
  };

  const revise = (fault: Extract<Fault, { kind: 'revised' }>, accountId: string, at: Instant) => {
    const instrumentOf = ({ order }: Execution) => contracts.bySymbol(order.symbol).instrument;
    // Behind a night its shares may be others.
    const isOfThisSession = (one: Execution) => {
      const session = sessionAt(instrumentOf(one).calendar, at);
      return session !== null && one.at >= session.opensAt;
    };
    const reported = orders.executions(accountId, instant(0));
    const execution = reported.findLast((one) => one.quantity > 0 && isOfThisSession(one));
    if (execution === undefined) return;
    const instrument = instrumentOf(execution);
    const revision = revisionBy(fault, execution, instrument);
    const sign = execution.order.side === 'BUY' ? 1 : -1;
    const commission = revision.quantity === 0 ? ZERO_MICRO : accounts.commission(instrument, revision, at);
    for (const trade of [
      {
        ...execution,
        quantity: quantity(-sign * execution.quantity),
        commission: micro(-execution.commission),
      },
      { ...revision, quantity: quantity(sign * revision.quantity), commission },
    ])
      accounts.apply(accountId, instrument, { ...trade, at });
    orders.revise(execution, { ...revision, commission }, at);
  };

  const happenTo = (fault: Fault, { userName, accountId }: Person, at: Instant) => {
    switch (fault.kind) {
      case 'session_lost':
        return sessions.endTrading(userName);
      case 'token_lost':
        return sessions.endTokens(userName);
      case 'competing':
        return sessions.holdElsewhere(userName);
      case 'competing_ends':
        return sessions.releaseElsewhere(userName);
      case 'trading_forbidden':
        return sessions.forbidTrading(userName);
      case 'trading_allowed':
        return sessions.allowTrading(userName);
      case 'external_trade':
        return tradeExternally(fault, accountId, at);
      case 'revised':
        return revise(fault, accountId, at);
      case 'withdraw':
        return accounts.pay(accountId, toMicro(-fault.dollars));
      case 'drift': {
        const { instrument } = contracts.bySymbol(fault.symbol);
        const change = { traded: toQuantity(fault.units), price: null, paid: ZERO_MICRO, at };
        return accounts.happen(accountId, instrument, change);
      }
      default:
        return undefined;
    }
  };

  return {
    happen(fault, account, at) {
      if (!KINDS.has(fault.kind)) return;
      const meant = people.list().filter(({ accountId }) => account === null || accountId === account);
      atomically(database, () => {
        for (const person of meant) happenTo(fault, person, at);
      });
    },
  };
}

function revisionBy(
  { how, factor, beside }: Extract<Fault, { kind: 'revised' }>,
  { quantity: size, price }: Execution,
  { quantityStep, priceDecimals }: Instrument,
): Omit<Revision, 'commission'> {
  const reported = how === 'vanished' ? 'nothing' : beside ? 'beside' : 'instead';
  switch (how) {
    case 'price':
      return { quantity: size, price: Number((price * factor).toFixed(priceDecimals)), reported };
    case 'quantity':
      return {
        quantity: quantity(Math.floor((size * factor) / quantityStep) * quantityStep),
        price,
        reported,
      };
    default:
      return { quantity: quantity(0), price, reported };
  }
}

const KINDS: ReadonlySet<Fault['kind']> = new Set([
  'session_lost',
  'token_lost',
  'competing',
  'competing_ends',
  'trading_forbidden',
  'trading_allowed',
  'external_trade',
  'revised',
  'withdraw',
  'drift',
]);
