import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId } from '#units/identifiers.ts';
import {
  MARKET,
  orderRecord,
  snapshotOf,
  TARGET,
  tradingDeployment,
} from '../../../tests/support/engine/deployment-snapshot.ts';
import { advance } from './advance.ts';
import { carryOut, lifecycleOf } from './carry-out.ts';
import { DEPLOYMENT_STATUSES, type RequestedStatus } from './status.ts';

const commanded = fc.record({
  status: fc.constantFrom(...DEPLOYMENT_STATUSES),
  requestedStatus: fc.constantFrom<RequestedStatus | null>(null, 'active', 'paused', 'stopped', 'liquidated'),
  held: fc.boolean(),
  intended: fc.boolean(),
});

it('writes the status of the step, makes its withdrawals, and moves no money', () => {
  fc.assert(
    fc.property(commanded, ({ status, requestedStatus, held, intended }) => {
      const record = tradingDeployment({ units: held ? { AAA: 10 } : {}, status, requestedStatus });
      const snapshot = snapshotOf(record, intended ? [orderRecord({ id: '7' as OrderId })] : []);
      const step = advance(lifecycleOf(snapshot), null);
      if (step === null) return;
      const { after, withdrawal, orders, notices } = carryOut(snapshot, step, MARKET);
      expect([after.cash, after.realized]).toEqual([record.cash, record.realized]);
      expect(withdrawal).toEqual(step.withdrawal);
      if (step.effect === 'close_positions') {
        expect(orders.every(({ order }) => order.purpose === 'liquidation')).toBe(true);
        return;
      }
      expect(after).toMatchObject({ status: step.status, requestedStatus: step.requestedStatus });
      expect(orders).toEqual([]);
      expect(after.endedAt).toBe(step.effect === 'end' ? MARKET.now : null);
      // One that never began follows a target only where its orders were found at the broker after a restore.
      const resumes = step.effect === 'begin' && status !== 'pending';
      const releases = resumes || step.effect === 'release_target';
      expect(after.appliedTargetId).toBe(releases ? null : TARGET);
      expect(notices.length).toBe(step.notice === null || after === record ? 0 : 1);
    }),
  );
});

it('sells all positions when it ends, under the name of its state', () => {
  const snapshot = snapshotOf(tradingDeployment({ units: { AAA: 10, BBB: 2 }, status: 'stopping' }));
  const { orders } = carryOut(snapshot, advance(lifecycleOf(snapshot), null)!, MARKET);
  expect(orders.map(({ order }) => [order.symbol, order.side]).toSorted()).toEqual([
    ['AAA', 'sell'],
    ['BBB', 'sell'],
  ]);
});
