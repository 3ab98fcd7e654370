import { expect, test } from 'vitest';
import type { ApprovedOrder } from '#engine/order/order.ts';
import type { Broker, BrokerNews, BrokerSession } from '#ports/broker.ts';
import { accountNumber, accountOfVendor } from '#units/account-of-vendor.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { withVendorInAccounts } from './vendor-in-accounts.ts';

const SAME = 'U100' as BrokerAccountId;
const asked: string[] = [];

/** Each of its methods notes the account that it is asked about. */
function brokerOf(vendor: string) {
  let tell: (news: BrokerNews) => void = () => undefined;
  const note = (what: string) => async (account: BrokerAccountId) => {
    asked.push(`${vendor} ${what} ${account}`);
    return { outcome: 'ok', value: [], unread: [] } as never;
  };
  const session = {
    accounts: async () => ({ outcome: 'ok', value: [{ accountId: SAME, title: 'Mine', currency: 'USD' }] }),
    positions: note('positions'),
    cash: note('cash'),
    cashActivities: note('cashActivities'),
    assignments: note('assignments'),
    submitOrder: note('submitOrder'),
    submitStop: note('submitStop'),
    cancelOrder: note('cancelOrder'),
    orders: note('orders'),
    findOrder: note('findOrder'),
    openOrders: note('openOrders'),
    executions: note('executions'),
    onNews: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  } as unknown as BrokerSession;
  const broker = {
    vendor,
    openSession: async () => ({ outcome: 'ok', value: session }),
  } as unknown as Broker;
  return { broker: withVendorInAccounts(broker), news: (news: BrokerNews) => tell(news) };
}

async function opened(vendor: string) {
  const { broker, news } = brokerOf(vendor);
  const session = await broker.openSession({});
  if (session.outcome !== 'ok') throw new Error(session.reason);
  const accounts = await session.value.accounts();
  if (accounts.outcome !== 'ok') throw new Error(accounts.reason);
  return { session: session.value, account: accounts.value[0]!.accountId, news };
}

test('the same number at two vendors is two accounts, and each vendor is asked by its own number', async () => {
  const [one, other] = [await opened('alpaca'), await opened('interactive-brokers')];
  expect([one.account, other.account]).toEqual(['alpaca:U100', 'interactive-brokers:U100']);
  const { session, account } = one;
  const order = {} as ApprovedOrder;
  asked.length = 0;
  await session.positions(account);
  await session.cash(account);
  await session.cashActivities?.(account, '2026-01-05' as IsoDate);
  await session.assignments?.(account, '2026-01-05' as IsoDate);
  await session.submitOrder(account, order);
  await session.submitStop?.(account, order, 1);
  await session.cancelOrder(account, '1');
  await session.orders(account);
  await session.findOrder?.(account, '1');
  await session.openOrders(account);
  await session.executions(account, 0 as Instant);
  expect(asked).toHaveLength(11);
  expect(asked.every((line) => line.startsWith('alpaca ') && line.endsWith(' U100'))).toBe(true);
});

test('no vendor is asked about an account of another', async () => {
  const [one, other] = [await opened('alpaca'), await opened('interactive-brokers')];
  asked.length = 0;
  await expect(one.session.cash(other.account)).rejects.toThrow('is no account at alpaca');
  await expect(one.session.cash(SAME)).rejects.toThrow('is no account at alpaca');
  expect(asked).toEqual([]);
});

test('news names the account as the lists do', async () => {
  const { session, account, news } = await opened('alpaca');
  const heard: BrokerNews[] = [];
  session.onNews?.((one) => heard.push(one));
  news({ kind: 'orders', accountId: SAME });
  news({ kind: 'orders', accountId: null });
  news({ kind: 'execution', accountId: SAME, execution: {} as never });
  expect(heard).toMatchObject([
    { kind: 'orders', accountId: account },
    { kind: 'orders', accountId: null },
    { kind: 'execution', accountId: account },
  ]);
});

test('a number of any form comes back as it was', () => {
  for (const number of ['PA3ABC', 'DU7001', 'a:b'])
    expect(accountNumber(accountOfVendor('alpaca', number))).toBe(number);
});
