import { expect, it } from 'vitest';
import type { OrderId, Symbol } from '#units/identifiers.ts';
import { orderRecord } from '../../../tests/support/engine/deployment-snapshot.ts';
import { type CrossedExit, orderIncidents } from './order-incidents.ts';

const STOP = {
  ...orderRecord({ purpose: 'protective' }),
  status: 'working',
  reason: { code: 'cancel_not_confirmed', parked: null },
} as const;
const EXIT = {
  ...orderRecord({ purpose: 'stop_loss' }),
  id: '2' as OrderId,
  reason: { code: 'stop_not_confirmed' },
} as const;

it('names the stop for which an exit waits, and any other order that nobody but a person can resolve', () => {
  const kinds = (...open: Parameters<typeof orderIncidents>[0]) =>
    orderIncidents(open, []).map(({ kind, subject }) => [kind, subject]);
  expect(kinds(STOP, EXIT)).toEqual([['exit_waits_for_stop', STOP.id]]);
  expect(kinds(STOP)).toEqual([['order_unconfirmed', STOP.id]]);
  expect(kinds({ ...STOP, status: 'unknown', reason: { code: 'no_answer' } }, EXIT)).toEqual([
    ['exit_waits_for_stop', STOP.id],
  ]);
  expect(kinds({ ...EXIT, status: 'unknown' })).toEqual([['order_unconfirmed', EXIT.id]]);
  expect(kinds({ ...STOP, reason: { code: 'cancel_requested', parked: null } }, EXIT)).toEqual([]);
  expect(kinds({ ...STOP, reason: null })).toEqual([]);
});

it('names an order in the other direction for which an exit of the account waits', () => {
  const order = orderRecord({ purpose: 'rebalance' });
  const { symbol, side } = order.decided;
  const other = side === 'buy' ? 'sell' : 'buy';
  const unknown = { ...order, status: 'unknown', reason: { code: 'no_answer' } } as const;
  const kindOf = (...crossed: readonly CrossedExit[]) => orderIncidents([unknown], crossed)[0]?.kind;
  expect(kindOf({ symbol, side: other })).toBe('exit_waits_for_order');
  expect(kindOf()).toBe('order_unconfirmed');
  expect(kindOf({ symbol, side })).toBe('order_unconfirmed');
  expect(kindOf({ symbol: 'ZZZ' as Symbol, side: other })).toBe('order_unconfirmed');
});
