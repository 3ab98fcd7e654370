// How a session handles answers in an unusual form: at the start, at a switch of accounts, after a question, before a list,
// and over the stream.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { BrokerSession } from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { type Answer, openedSession, STANDS } from './scripted-session.ts';

const ACCOUNT = 'U1' as BrokerAccountId;
const ORDER = {
  symbol: 'SPY' as Symbol,
  side: 'buy',
  quantity: toQuantity(1),
  limitPrice: 100,
  purpose: 'rebalance',
  clientOrderId: 'c1' as ClientOrderId,
} as never;
const ROW = {
  acct: ACCOUNT,
  conid: '756733',
  orderId: 1,
  order_ref: 'c1',
  ticker: 'SPY',
  secType: 'STK',
  side: 'BUY',
  totalSize: 1,
  filledQuantity: 0,
  status: 'Submitted',
};

const state = (session: BrokerSession) => session.sessionState().status;

describe('the start of a session', () => {
  const stands: readonly [string, object][] = [
    ['flags as text', { authenticated: 'true', established: 'true', connected: 'true', competing: 'false' }],
    ['no word on whether it is established', { authenticated: true, connected: true }],
    ['null there', { ...STANDS, established: null }],
  ];
  for (const [what, body] of stands)
    it(`succeeds with ${what}`, async () => {
      const { session } = openedSession({ '/iserver/auth/ssodh/init': [{ body }] });
      expect((await session.orders(ACCOUNT)).outcome).toBe('ok');
      expect(state(session)).toBe('connected');
    });

  const refusals: readonly [string, Answer, string, string][] = [
    ['a competing session', { body: { ...STANDS, competing: true } }, 'no_session', 'competing'],
    ['competing as text', { body: { ...STANDS, competing: 'true' } }, 'no_session', 'competing'],
    ['an error under 200', { body: { error: 'not now' } }, 'no_session', 'degraded'],
    [
      'a refusal',
      { status: 500, body: { error: 'failed to generate sso dh token' } },
      'unreachable',
      'degraded',
    ],
    [
      'a permission that covers reading alone',
      { status: 403, body: { title: 'Forbidden', detail: 'no trading' } },
      'refused',
      'read_only',
    ],
    ['an expired token', { status: 401, body: { title: 'Unauthorized' } }, 'unauthorized', 'signed_out'],
  ];
  for (const [what, answer, code, status] of refusals)
    it(`fails with ${what}, and nothing is sent`, async () => {
      const { session, paths } = openedSession({
        '/iserver/auth/ssodh/init': [answer],
        '/iserver/auth/status': [answer],
      });
      expect(await session.orders(ACCOUNT)).toMatchObject({ outcome: 'failed', code });
      expect((await session.submitOrder(ACCOUNT, ORDER)).outcome).toBe('not_sent');
      expect(state(session)).toBe(status);
      expect(paths()).not.toContain('/iserver/account/U1/orders');
    });

  it('waits for a bridge that is not up at once', async () => {
    const bridge = { status: 400, body: { error: 'Bad Request: no bridge', statusCode: 400 } };
    const accounts = { body: { accounts: [ACCOUNT], selectedAccount: ACCOUNT } };
    const { session } = openedSession({ '/iserver/accounts': [bridge, bridge, accounts] });
    expect((await session.orders(ACCOUNT)).outcome).toBe('ok');
    expect(state(session)).toBe('connected');
  });

  it('is not declared lost by one empty tickle', async () => {
    const { session } = openedSession({ '/tickle': [{ body: { error: 'failed to process request' } }] });
    await session.orders(ACCOUNT);
    expect(await session.keepAlive()).toMatchObject({ outcome: 'ok', value: { status: 'connected' } });
  });
});

describe('a switch of accounts', () => {
  const other = { '/iserver/accounts': [{ body: { accounts: [ACCOUNT, 'U2'], selectedAccount: 'U2' } }] };
  const forms: readonly [string, Answer, boolean][] = [
    ['that was made', { body: { set: true, acctId: ACCOUNT } }, true],
    ['that had been made', { body: { success: 'Account already set' } }, true],
    ['to another account', { body: { set: true, acctId: 'U2' } }, false],
    ['that was not made', { body: { set: false, acctId: ACCOUNT } }, false],
    ['with an error under 200', { body: { error: 'Invalid account ID' } }, false],
    ['with an error under 500', { status: 500, body: { error: 'Invalid account ID' } }, false],
    ['with nothing', { body: {} }, false],
  ];
  for (const [what, answer, works] of forms)
    it(`${what} ${works ? 'counts' : 'does not count, and nothing is asked or sent'}`, async () => {
      const { session, paths } = openedSession({ ...other, '/iserver/account': [answer] });
      expect((await session.executions(ACCOUNT, 0 as Instant)).outcome).toBe(works ? 'ok' : 'failed');
      expect(paths().includes('/iserver/account/trades')).toBe(works);
      if (!works) expect((await session.submitOrder(ACCOUNT, ORDER)).outcome).toBe('not_sent');
    });
});

describe('an order', () => {
  const path = '/iserver/account/U1/orders';
  const question = [{ id: 'r1', message: ['Sure?'], messageIds: ['o163'] }];
  it('that the broker took although the adapter declined is accepted', async () => {
    const { session } = openedSession({
      [path]: [{ body: question }],
      '/iserver/reply/r1': [{ body: [{ order_id: '77', order_status: 'Submitted' }] }],
    });
    expect(await session.submitOrder(ACCOUNT, ORDER)).toEqual({ outcome: 'accepted', brokerOrderId: '77' });
  });
  it('whose question names no kind is declined', async () => {
    const { session, asked } = openedSession({
      [path]: [{ body: [{ id: 'r1', message: ['Sure?'] }] }],
      '/iserver/reply/r1': [{ body: { error: 'Order not confirmed ' } }],
    });
    expect((await session.submitOrder(ACCOUNT, ORDER)).outcome).toBe('not_confirmed');
    expect(asked.at(-1)?.json).toEqual({ confirmed: false });
  });
  it('that the permission does not cover makes the connection read-only', async () => {
    const { session } = openedSession({ [path]: [{ status: 403, body: { detail: 'no trading' } }] });
    expect(await session.submitOrder(ACCOUNT, ORDER)).toMatchObject({ outcome: 'not_sent', code: 'refused' });
    expect(state(session)).toBe('read_only');
  });
  for (const error of ['Bad Request: no bridge', 'Keine Verbindung', '<p>400</p>']) {
    const refusal = { status: 400, body: { error } };
    it(`refused with “${error}” while the session is not up is not sent`, async () => {
      const { session } = openedSession({
        [path]: [refusal],
        '/iserver/auth/status': [{ body: { ...STANDS, authenticated: false } }],
      });
      expect(await session.submitOrder(ACCOUNT, ORDER)).toMatchObject({
        outcome: 'not_sent',
        code: 'no_session',
        wasTurnedAway: true,
      });
      expect(state(session)).toBe('degraded');
    });
    it(`refused with “${error}” while the session is up is rejected`, async () => {
      const { session } = openedSession({ [path]: [refusal] });
      expect((await session.submitOrder(ACCOUNT, ORDER)).outcome).toBe('rejected');
      expect(state(session)).toBe('connected');
    });
    it(`answers a query refused with “${error}” once the session is confirmed`, async () => {
      const { session } = openedSession({ '/iserver/account/trades': [refusal, { body: [] }] });
      expect((await session.executions(ACCOUNT, 0 as Instant)).outcome).toBe('ok');
    });
  }
  it('that came too fast does not change the session', async () => {
    const { session } = openedSession({ [path]: [{ status: 429 }] });
    expect(await session.submitOrder(ACCOUNT, ORDER)).toMatchObject({
      outcome: 'not_sent',
      code: 'rate_limited',
    });
    expect(state(session)).toBe('connected');
  });
});

describe('the list of orders', () => {
  it('is requested in advance after each start of the session, so that an empty first one does not count', async () => {
    const { session, brokerage, asked } = openedSession({});
    await session.orders(ACCOUNT);
    brokerage.lost('gone');
    await session.orders(ACCOUNT);
    const lists = asked.filter(({ path }) => path === '/iserver/account/orders');
    expect(lists.map(({ query }) => query?.force)).toEqual(['true', undefined, 'true', undefined]);
  });
  it('that is empty only because the session restarted is requested again', async () => {
    const bridge = { status: 400, body: { error: 'no bridge' } };
    const empty = { body: { orders: [], snapshot: true } };
    const { session } = openedSession({
      '/iserver/account/orders': [empty, bridge, empty, empty, { body: { orders: [ROW], snapshot: true } }],
    });
    const list = await session.orders(ACCOUNT);
    expect(list.outcome === 'ok' && list.value.map(({ clientOrderId }) => clientOrderId)).toEqual(['c1']);
  });
  it('of another account is not read as this one', async () => {
    const { session } = openedSession({
      '/iserver/account/order/status/1': [
        {
          body: {
            order_id: 1,
            account: 'U2',
            conid: 756_733,
            symbol: 'SPY',
            side: 'B',
            total_size: '1',
            cum_fill: '0',
            order_status: 'Submitted',
          },
        },
      ],
    });
    expect(await session.findOrder?.(ACCOUNT, '1')).toMatchObject({ outcome: 'failed', code: 'unreadable' });
  });
  it('never leads to the cancellation of another order', async () => {
    const path = '/iserver/account/U1/order/1';
    const said = (order_id: unknown) => [{ body: [{ msg: 'Request was submitted', order_id }] }];
    for (const [id, outcome] of [
      ['1', 'requested'],
      [1, 'requested'],
      [null, 'requested'],
      ['2', 'unknown'],
    ] as const)
      expect((await openedSession({ [path]: said(id) }).session.cancelOrder(ACCOUNT, '1')).outcome).toBe(
        outcome,
      );
  });
});

describe('the stream', () => {
  it('sends its session when asked, subscribes again after a restart, and reports a competitor', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const heard: string[] = [];
    server.on('connection', (socket) => {
      socket.send(JSON.stringify({ message: 'waiting for session' }));
      socket.on('message', (data) => {
        heard.push(String(data));
        if (String(data).startsWith('{')) socket.send(JSON.stringify({ topic: 'system', success: 'ada' }));
      });
    });
    const { port } = server.address() as AddressInfo;
    const { session, brokerage } = openedSession({}, `ws://127.0.0.1:${port}/ws`);
    const stop = session.onNews?.(() => undefined);
    const until = (isSo: () => boolean) => expect.poll(isSo, { timeout: 10_000 }).toBe(true);
    await until(() => heard.includes('sor+{}'));
    expect(heard[0]).toBe('{"session":"cookie"}');
    brokerage.lost('gone');
    await brokerage.ready();
    await until(() => heard.filter((text) => text === 'sor+{}').length === 2);
    const frame = { topic: 'sts', args: { authenticated: true, competing: true } };
    for (const socket of server.clients) socket.send(JSON.stringify(frame));
    await until(() => state(session) === 'competing');
    stop?.();
    await session.close();
    server.close();
  });
});
