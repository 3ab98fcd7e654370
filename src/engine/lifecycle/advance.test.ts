import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderId, Symbol } from '#units/identifiers.ts';
import { quantity } from '#units/quantity.ts';
import { advance, asksToStart, type LifecycleSnapshot } from './advance.ts';
import { effectivePermission } from './effective-status.ts';
import { canMove, DEPLOYMENT_STATUSES, hasEnded, REQUESTED_STATUSES } from './status.ts';
import type { GateReason, OpenOrder } from './status-reason.ts';

const AAA = 'AAA' as Symbol;
const REQUESTED = [null, ...REQUESTED_STATUSES];
const UNSIGNED: GateReason = { code: 'agreement_not_signed' };

const order = (id: string, status: string, purpose: OpenOrder['purpose'] = 'rebalance'): OpenOrder => ({
  id: id as OrderId,
  status,
  side: 'buy',
  quantity: quantity(1),
  symbol: AAA,
  purpose,
});
const snapshot = (change: Partial<LifecycleSnapshot>): LifecycleSnapshot => ({
  status: 'active',
  requestedStatus: null,
  reason: null,
  held: [],
  openOrders: [],
  busy: new Set(),
  ...change,
});

const anySnapshot = fc
  .record({
    status: fc.constantFrom(...DEPLOYMENT_STATUSES),
    requestedStatus: fc.constantFrom(...REQUESTED),
    held: fc.constantFrom([], [AAA]),
    orders: fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('1', '2', '3'),
        status: fc.constantFrom('intended', 'sending', 'working', 'unknown'),
        purpose: fc.constantFrom<OpenOrder['purpose']>('rebalance', 'stop_loss', 'protective'),
      }),
      { selector: ({ id }) => id },
    ),
    isBusy: fc.boolean(),
  })
  .map(({ orders, isBusy, ...rest }) =>
    snapshot({
      ...rest,
      openOrders: orders.map(({ id, status, purpose }) => order(id, status, purpose)),
      busy: new Set(isBusy ? [AAA] : []),
    }),
  );
const anyGate = fc.constantFrom(null, UNSIGNED);

test('every step is a move of the table, or none', () => {
  fc.assert(
    fc.property(anySnapshot, anyGate, (before, gate) => {
      const after = advance(before, gate);
      if (after === null || after.status === before.status) return;
      const by = ['client', 'support', 'trader'] as const;
      expect(by.some((one) => canMove({ from: before.status, to: after.status, by: one }))).toBe(true);
    }),
  );
});

test('steps come to an end: a deployment does not take steps endlessly', () => {
  fc.assert(
    fc.property(anySnapshot, anyGate, (start, gate) => {
      let now = start;
      for (let steps = 0; steps < 12; steps++) {
        const next = advance(now, gate);
        if (next === null) return;
        const gone = new Set(next.withdrawal?.orders);
        const openOrders = now.openOrders.filter(({ id }) => !gone.has(id));
        const busy = next.effect === 'close_positions' ? new Set([AAA]) : now.busy;
        now = { ...now, ...next, openOrders, busy };
      }
      expect(hasEnded(now.status)).toBe(true);
    }),
  );
});

test('only orders that have not left are withdrawn, each once', () => {
  fc.assert(
    fc.property(anySnapshot, anyGate, (before, gate) => {
      const withdrawn = advance(before, gate)?.withdrawal?.orders ?? [];
      const intents = before.openOrders.filter(({ status }) => status === 'intended').map(({ id }) => id);
      expect(intents).toEqual(expect.arrayContaining([...withdrawn]));
      expect(new Set(withdrawn).size).toBe(withdrawn.length);
    }),
  );
});

test('it ends only when nothing is held and nothing is in flight', () => {
  fc.assert(
    fc.property(anySnapshot, anyGate, (before, gate) => {
      const after = advance(before, gate);
      if (after?.effect !== 'end') return;
      expect([before.held, before.openOrders]).toEqual([[], []]);
      expect(after).toMatchObject({ requestedStatus: null, reason: null });
    }),
  );
});

test('a command that is carried out leaves the effective status unchanged', () => {
  fc.assert(
    fc.property(anySnapshot, (before) => {
      const after = advance(before, null);
      if (after === null || asksToStart(before) || after.status === before.status) return;
      if (hasEnded(after.status)) return;
      const counted = effectivePermission(before);
      if (counted !== 'none' || before.requestedStatus === 'paused')
        expect(effectivePermission(after)).toBe(counted);
    }),
  );
});

test('a start waits for its gates; a resume with a shut gate fails, and both name it', () => {
  const pending = snapshot({ status: 'pending' });
  const waiting = advance(pending, UNSIGNED);
  expect(waiting).toMatchObject({ status: 'pending', reason: UNSIGNED, notice: null });
  expect(advance({ ...pending, reason: UNSIGNED }, UNSIGNED)).toBeNull();
  expect(advance(pending, null)).toMatchObject({ status: 'active', notice: { kind: 'trading_started' } });
  const paused = snapshot({ status: 'paused', requestedStatus: 'active' });
  expect(advance(paused, UNSIGNED)).toMatchObject({
    status: 'paused',
    requestedStatus: null,
    reason: UNSIGNED,
  });
  expect(advance(paused, null)).toMatchObject({ status: 'active', notice: { kind: 'resumed' } });
});

test('a pause withdraws unsent orders and names those that may still fill, but leaves protective stops', () => {
  const openOrders = [
    order('intent', 'intended'),
    order('working', 'working'),
    order('stop', 'working', 'protective'),
  ];
  const atBroker = [{ side: 'buy', quantity: 1, symbol: 'AAA' }];
  expect(advance(snapshot({ requestedStatus: 'paused', openOrders }), null)).toEqual({
    status: 'paused',
    requestedStatus: null,
    reason: { code: 'paused', keepsStops: true, atBroker },
    withdrawal: { orders: ['intent'], reason: { code: 'paused' } },
    effect: null,
    notice: { kind: 'paused', atBroker },
  });
});

test('a stop closes all positions step by step, and then ends', () => {
  const held = [AAA];
  const stopping = snapshot({ status: 'stopping', held });
  expect(advance(snapshot({ requestedStatus: 'stopped', held }), null)).toMatchObject({
    status: 'stopping',
    effect: 'release_target',
    notice: { kind: 'stopping' },
  });
  expect(advance({ ...stopping, openOrders: [order('1', 'intended')] }, null)).toMatchObject({
    status: 'stopping',
    withdrawal: { orders: ['1'] },
  });
  expect(advance(stopping, null)).toMatchObject({ effect: 'close_positions' });
  expect(advance({ ...stopping, busy: new Set([AAA]) }, null)).toBeNull();
  expect(advance({ ...stopping, held: [] }, null)).toMatchObject({ status: 'stopped', effect: 'end' });
});
