import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TargetId } from '#units/identifiers.ts';
import {
  MARKET,
  orderRecord,
  snapshotOf,
  TARGET,
  tradingDeployment,
} from '../../../../tests/support/engine/deployment-snapshot.ts';
import { orderEnded } from './order-ended.ts';
import { type EndReason, endStatus, isRetried } from './order-reason.ts';

const reasons: readonly EndReason[] = [
  { code: 'paused' },
  { code: 'not_suitable' },
  { code: 'position_changed' },
  { code: 'day_over_unsent' },
  { code: 'cancelled', said: '' },
  { code: 'rejected', said: 'no' },
  { code: 'expired', said: '' },
  { code: 'never_shown' },
  { code: 'day_over' },
  { code: 'resolved_by_staff', arrived: true, because: 'so it is' },
];
const HOLDER = tradingDeployment({ units: { AAA: 10 } });

function end(reason: EndReason, asked: Parameters<typeof orderRecord>[0] = {}) {
  const order = orderRecord(asked);
  return orderEnded(snapshotOf(HOLDER, [order]), { order, reason }, MARKET);
}

it('ends the order for its reason, moves no money and keeps the position', () => {
  fc.assert(
    fc.property(fc.constantFrom(...reasons), (reason) => {
      const { before, after, orderUpdates, postings } = end(reason);
      expect(orderUpdates).toEqual([
        { id: '1', update: { status: endStatus(reason), reason, endedAt: MARKET.now } },
      ]);
      expect([after.cash, after.holdings, postings]).toEqual([before.cash, before.holdings, []]);
    }),
  );
});

it('applies the target again only where its own order may be retried, five times at most', () => {
  const attempts = fc.integer({ min: 1, max: 9 });
  const purposes = fc.constantFrom('rebalance' as const, 'stop_loss' as const, 'protective' as const);
  const targets = fc.constantFrom(TARGET, 'older' as TargetId);
  fc.assert(
    fc.property(
      fc.constantFrom(...reasons),
      attempts,
      purposes,
      targets,
      (reason, attempt, purpose, targetId) => {
        const { after } = end(reason, { attempt, purpose, targetId });
        const triesAgain = isRetried(reason) && purpose === 'rebalance' && attempt < 5 && targetId === TARGET;
        expect(after.appliedTargetId).toBe(triesAgain ? null : TARGET);
      },
    ),
  );
});

it('notifies the owner of a refused or expired order, and of no withdrawn one; of a stop only if it is refused', () => {
  const told = reasons.filter((reason) => end(reason).notices.length > 0).map(({ code }) => code);
  expect(told).toEqual(['rejected', 'expired', 'never_shown', 'day_over']);
  const ofStops = reasons.filter((reason) => end(reason, { purpose: 'protective' }).notices.length > 0);
  expect(ofStops.map(({ code }) => code)).toEqual(['rejected']);
  expect(end({ code: 'rejected', said: 'no' }).notices[0]).toMatchObject({
    cause: 'not_filled:BW1',
    facts: { kind: 'order_not_filled', isProtective: false },
  });
});
