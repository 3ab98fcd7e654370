// What happens to an account without a call of ours: the person trades by hand, takes money out, signs in elsewhere.
import type { DatabaseSync } from 'node:sqlite';
import type { Instant } from '#units/instant.ts';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { AccountBook } from '../account-book.ts';
import type { ContractList } from '../contract-list.ts';
import { atomically } from '../database.ts';
import type { Matching } from '../matching.ts';
import type { OrderBook } from '../order-book.ts';
import type { People, Person } from '../people.ts';
import type { Sessions } from '../sessions.ts';
import type { Fault } from './fault-script.ts';

export type BookEvents = {
  /** Lets a fault happen to the person who owns `account`, or to everybody. Other kinds of faults do nothing here. */
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

  const tradeByHand = (
    { symbol, side, units }: Extract<Fault, { kind: 'trade_by_hand' }>,
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
    });
    if (order) matching.fillNow(order, at);
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
      case 'trade_by_hand':
        return tradeByHand(fault, accountId, at);
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

const KINDS: ReadonlySet<Fault['kind']> = new Set([
  'session_lost',
  'token_lost',
  'competing',
  'competing_ends',
  'trading_forbidden',
  'trading_allowed',
  'trade_by_hand',
  'withdraw',
  'drift',
]);
