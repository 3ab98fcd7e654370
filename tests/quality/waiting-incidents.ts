// What waits at the desk of waiting-desk.ts for a decision about an incident itself.
import type { OperationsDesk } from '#contract/operations/operations.ts';

export const ACCOUNT = { account: 'DU1000001', broker_name: 'Interactive Brokers' };
export const CLIENT = { client: 'ada.lovelace@example.test', strategy_name: 'Compass Trend' };
export const only = <Item>(...results: Item[]) => ({ results, has_more: false });

const PROPOSED = {
  id: 'ip1',
  account: ACCOUNT.account,
  amount: null,
  cause: null,
  broker_order_id: null,
  until: null,
  proposed_by: 'sue@example.test',
  is_own: false,
  proposed_at: '2026-03-05T10:00:00.000Z',
  status: 'open' as const,
  decided_at: null,
  outcome: null,
};

export const WAITING_INCIDENTS: Pick<
  OperationsDesk,
  'unread_rows' | 'missing_commissions' | 'unprotected' | 'quarantined' | 'differing_books'
> = {
  unread_rows: only(
    {
      ...ACCOUNT,
      subject: 'orders 1370093240',
      seen: 'h1',
      clients: [CLIENT.client],
      list: 'orders' as const,
      part: 'side' as const,
      raw: '{"acct":"DU1000001","orderId":1370093240,"ticker":"SPY","secType":"STK","side":"EXCHANGE","totalSize":"12","status":"WarnState"}',
      effect: 'unsure' as const,
      symbols: ['SPY'],
      since: '2026-03-05T14:12:00.000Z',
      refusal: null,
      proposal: {
        ...PROPOSED,
        action: 'ignore_row' as const,
        subject: 'orders 1370093240',
        reason: 'the client entered it on the broker’s own screen',
      },
    },
    {
      ...ACCOUNT,
      subject: 'positions 628812381',
      seen: 'h2',
      clients: [CLIENT.client],
      list: 'positions' as const,
      part: 'price' as const,
      raw: '{"acctId":"DU1000001","conid":"628812381","contractDesc":"XYZ JAN2026 50 C","position":-2,"assetClass":"OPT"}',
      effect: 'foreign' as const,
      symbols: [],
      since: '2026-03-02T14:12:00.000Z',
      refusal: null,
      proposal: null,
    },
  ),
  quarantined: only({
    ...ACCOUNT,
    subject: 'd1',
    seen: 'fan-out 1',
    ...CLIENT,
    cause: 'It could not continue: its order generation keeps failing.',
    released_as: 'paused' as const,
    equity: 12_340.51,
    positions: 3,
    proposal: null,
  }),
  differing_books: only({
    ...ACCOUNT,
    subject: 'd1',
    seen: 'h3',
    ...CLIENT,
    differences: [
      { figure: 'cash' as const, symbol: null, stored: 4_218.07, replayed: 4_217.07 },
      { figure: 'quantity' as const, symbol: 'AAPL', stored: 41, replayed: 40 },
    ],
    proposal: null,
  }),
  missing_commissions: only({
    ...ACCOUNT,
    subject: '0000e1a7.64ac2f12.01.01',
    seen: '0',
    deployment: 'd1',
    ...CLIENT,
    symbol: 'MSFT',
    side: 'buy' as const,
    quantity: 12,
    price: 408.26,
    estimate: 1.06,
    executed_at: '2026-03-03T14:30:01.000Z',
    proposal: null,
  }),
  unprotected: only(
    {
      ...ACCOUNT,
      subject: 'd1 NVDA',
      seen: '30 rejected',
      deployment: 'd1',
      ...CLIENT,
      symbol: 'NVDA',
      quantity: 30,
      cause: 'The broker rejected it: stop orders are not accepted for this instrument.',
      refusals: 5,
      retry_refusal: null,
      proposal: null,
    },
    {
      ...ACCOUNT,
      subject: 'd2 AAPL',
      seen: '80 rejected',
      deployment: 'd2',
      ...CLIENT,
      symbol: 'AAPL',
      quantity: 80,
      cause: 'The broker rejected it.',
      refusals: 2,
      retry_refusal: null,
      proposal: {
        ...PROPOSED,
        action: 'acknowledge' as const,
        subject: 'd2 AAPL',
        until: '2026-03-20T00:00:00.000Z',
        reason: 'the client knows and wants to keep it',
        status: 'approved' as const,
        decided_at: '2026-03-05T11:00:00.000Z',
      },
    },
  ),
};

/** One for each row with its subject. */
export const WAITING_PROPOSALS: OperationsDesk['proposals'] = [
  {
    ...PROPOSED,
    id: 'p1',
    account: null,
    action: 'lift_halt' as const,
    subject: 'k1',
    reason: 'both venues agree again',
  },
  {
    ...PROPOSED,
    id: 'p2',
    account: null,
    action: 'cancel_orders' as const,
    subject: 'k2',
    is_own: true,
    reason: 'its orders came of doubled bars',
  },
  {
    ...PROPOSED,
    id: 'p3',
    account: null,
    action: 'resolve_order' as const,
    subject: 'o1',
    reason: 'the broker’s list of the day does not show it',
  },
  {
    ...PROPOSED,
    id: 'p4',
    account: null,
    action: 'liquidate' as const,
    subject: 'l1',
    reason: 'the client confirmed it by phone',
  },
];
