// Lists with a row that cannot be read, or of another account, as a session of the vendor's answers them.
import { describe, expect, it } from 'vitest';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { openedSession } from './scripted-session.ts';

const ACCOUNT = 'U1' as BrokerAccountId;
const SPY = { conid: '756733', ticker: 'SPY', secType: 'STK' };
const ORDER = {
  ...SPY,
  acct: ACCOUNT,
  orderId: 1,
  order_ref: 'c1',
  side: 'BUY',
  totalSize: 1,
  filledQuantity: 0,
  status: 'Submitted',
};
const TRADE = {
  ...SPY,
  execution_id: 'e1',
  account: ACCOUNT,
  order_id: 1,
  order_ref: 'c1',
  side: 'B',
  size: 1,
  price: '100',
  commission: '1',
  trade_time_r: 1_768_228_200_000,
};
const POSITION = { ...SPY, acctId: ACCOUNT, position: 3 };

const orders = (rows: readonly unknown[]) =>
  openedSession({ '/iserver/account/orders': [{ body: { orders: rows, snapshot: true } }] }).session.orders(
    ACCOUNT,
  );
const executions = (rows: readonly unknown[]) =>
  openedSession({ '/iserver/account/trades': [{ body: rows }] }).session.executions(ACCOUNT, 0 as Instant);
const positions = (rows: readonly unknown[]) =>
  openedSession({
    '/portfolio/accounts': [{ body: [{ accountId: ACCOUNT, currency: 'USD' }] }],
    [`/portfolio2/${ACCOUNT}/positions`]: [{ body: rows }],
    [`/portfolio/${ACCOUNT}/positions/invalidate`]: [{ body: {} }],
    [`/portfolio/${ACCOUNT}/positions/0`]: [{ body: rows }],
  }).session.positions(ACCOUNT);

describe('a row that cannot be read', () => {
  it('of ours names its order and its instrument', async () => {
    const named = { clientOrderId: 'c1', brokerOrderId: '1', instrument: { type: 'listed', symbol: 'SPY' } };
    expect(await orders([{ ...ORDER, status: 'Sideways' }])).toMatchObject({
      value: [],
      unread: [{ list: 'orders', key: '1', reason: 'status', ...named }],
    });
    expect(
      await executions([
        { ...TRADE, price: 'none' },
        { ...TRADE, execution_id: 'e2' },
      ]),
    ).toMatchObject({
      value: [{ executionId: 'e2' }],
      unread: [{ list: 'executions', key: 'e1', executionId: 'e1', reason: 'price', ...named }],
    });
    expect(await positions([{ ...POSITION, position: 'many' }])).toMatchObject({
      value: [],
      unread: [{ list: 'positions', key: '756733', reason: 'quantity', instrument: named.instrument }],
    });
  });

  it('of an instrument outside the catalogue is not one of ours', async () => {
    const combo = { ...TRADE, conid: '28812380', ticker: 'IBM', secType: 'BAG', price: 'credit' };
    expect(await executions([combo])).toMatchObject({
      unread: [{ instrument: { type: 'not_listed', name: 'IBM' } }],
    });
  });

  it('without a contract id could be of any instrument', async () => {
    expect(await executions([{ ...TRADE, conid: null }])).toMatchObject({
      value: [],
      unread: [{ reason: 'instrument', instrument: { type: 'unread' } }],
    });
  });
});

describe('a row of another account', () => {
  const other = 'U2';
  it('is in no list, readable or not', async () => {
    for (const odd of [{}, { side: 'X' }]) {
      const nothing = { outcome: 'ok', value: [], unread: [] };
      expect(await orders([{ ...ORDER, acct: other, ...odd }])).toEqual(nothing);
      expect(await executions([{ ...TRADE, account: other, ...odd }])).toEqual(nothing);
    }
    const mixed = await positions([{ ...POSITION, conid: '1', acctId: other }, POSITION]);
    expect(mixed).toMatchObject({ value: [{ symbol: 'SPY', quantity: toQuantity(3) }], unread: [] });
  });

  it('never makes an account flat: positions of others alone are no list', async () => {
    expect(await positions([{ ...POSITION, acctId: other }])).toMatchObject({
      outcome: 'failed',
      code: 'unreadable',
    });
    expect(await positions([])).toMatchObject({ outcome: 'ok', value: [] });
  });
});
