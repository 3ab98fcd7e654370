// Two vendors may give the same number: outside of its adapter an account is named by its vendor and its number, in every table
// and every question. Everything that a broker is told and tells passes here.
import type { Broker, BrokerAnswer, BrokerNews, BrokerSession } from '#ports/broker.ts';
import { accountNumber, accountOfVendor } from '#units/account-of-vendor.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';

export function withVendorInAccounts<Vendor extends string>(broker: Broker<Vendor>): Broker<Vendor> {
  return {
    ...broker,
    async openSession(credentials) {
      const opened = await broker.openSession(credentials);
      return opened.outcome === 'failed'
        ? opened
        : { outcome: 'ok', value: withVendor(opened.value, broker.vendor) };
    },
  };
}

function withVendor(session: BrokerSession, vendor: string): BrokerSession {
  const named = <Row extends { readonly accountId: BrokerAccountId }>(row: Row): Row => ({
    ...row,
    accountId: accountOfVendor(vendor, row.accountId),
  });
  const numberOf = (account: BrokerAccountId): BrokerAccountId => {
    const number = accountNumber(account) as BrokerAccountId;
    if (accountOfVendor(vendor, number) !== account)
      throw new Error(`${account} is no account at ${vendor}: it is not asked about there`);
    return number;
  };
  const { cashActivities, assignments, submitStop, findOrder, onNews } = session;
  return {
    ...session,
    async accounts() {
      const answer = await session.accounts();
      return answer.outcome === 'failed' ? answer : okOf(answer.value.map(named));
    },
    positions: async (account) => session.positions(numberOf(account)),
    cash: async (account) => session.cash(numberOf(account)),
    ...(cashActivities && {
      cashActivities: async (account, since) => cashActivities(numberOf(account), since),
    }),
    ...(assignments && {
      assignments: async (account, since) => assignments(numberOf(account), since),
    }),
    submitOrder: async (account, order, terms) => session.submitOrder(numberOf(account), order, terms),
    ...(submitStop && {
      submitStop: async (account, order, stopPrice, terms) =>
        submitStop(numberOf(account), order, stopPrice, terms),
    }),
    cancelOrder: async (account, order) => session.cancelOrder(numberOf(account), order),
    orders: async (account) => session.orders(numberOf(account)),
    ...(findOrder && { findOrder: async (account, order) => findOrder(numberOf(account), order) }),
    openOrders: async (account) => session.openOrders(numberOf(account)),
    executions: async (account, since) => session.executions(numberOf(account), since),
    ...(onNews && { onNews: (listener) => onNews((news) => listener(newsOf(news, named))) }),
  };
}

type Naming = <Row extends { readonly accountId: BrokerAccountId }>(row: Row) => Row;

function newsOf(news: BrokerNews, named: Naming): BrokerNews {
  switch (news.kind) {
    case 'execution':
      return named(news);
    case 'orders':
      return news.accountId === null ? news : named({ ...news, accountId: news.accountId });
    default:
      return news;
  }
}

function okOf<Value>(value: Value): BrokerAnswer<Value> {
  return { outcome: 'ok', value };
}
