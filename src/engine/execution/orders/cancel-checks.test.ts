import { describe, expect, it } from 'vitest';
import { HOUR_MS, instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { AAA, MONDAY, openOrder } from '#tests/support/engine/open-order.ts';
import type { ProtectiveStop } from '../../risk/protective-stop.ts';
import { type WallInstant, wallInstant } from '#units/wall-instant.ts';
import { nextTry } from '../back-off.ts';
import { type CancelSnapshot, isCancelDue, isCancelOverdue, mustCancel } from './cancel-checks.ts';
import type { OpenOrder } from './open-order.ts';
import type { Visibility } from './visibility.ts';

const WORKING = { ...openOrder({ side: 'buy', status: 'working' }), targetId: 'T' };
const STOP = { ...openOrder({ purpose: 'protective', status: 'working' }), targetId: null };
const WANTED: ProtectiveStop = { side: 'sell', quantity: toQuantity(10), price: 90, cause: 'c' };

type Asked = Partial<Omit<CancelSnapshot, 'deployment'>> & {
  deployment?: Partial<CancelSnapshot['deployment']>;
};

function cancels({ deployment, ...asked }: Asked): boolean {
  return mustCancel({
    order: WORKING,
    halt: null,
    agreementSigned: true,
    rebalancedAt: MONDAY,
    blocksExit: false,
    blocksPosition: false,
    keepsStopWaiting: false,
    isDayOver: false,
    isOversized: false,
    isResetNear: false,
    wantedStop: WANTED,
    ...asked,
    deployment: {
      status: 'active',
      requestedStatus: null,
      frozenAt: null,
      reaction: null,
      holdings: new Map([[AAA, { quantity: toQuantity(10) }]]),
      ...deployment,
    },
  });
}

it('leaves at the broker what its deployment still wants', () => {
  expect(cancels({})).toBe(false);
  expect(cancels({ order: STOP })).toBe(false);
});

it.each([
  ['a pause that was asked for', { deployment: { requestedStatus: 'paused' } }],
  ['a pause', { deployment: { status: 'paused' } }],
  ['a stop that was asked for', { deployment: { requestedStatus: 'stopped' } }],
  ['a liquidation', { deployment: { status: 'liquidating' } }],
  ['a newer target', { rebalancedAt: instant(MONDAY + 1) }],
  ['a freeze', { deployment: { frozenAt: MONDAY } }],
  ['returns below the record', { deployment: { reaction: 'exits_only' } }],
  ['an exit that waits for it', { blocksExit: true }],
  ['the end of its day, where the broker would keep it', { isDayOver: true }],
  ['a kill switch that cancels', { halt: { cancelsWorking: true } }],
] as const)('cancels a purchase for %s', (_, asked) => {
  expect(cancels(asked)).toBe(true);
});

it('cancels nothing for a kill switch that only stops sending', () => {
  expect(cancels({ halt: { cancelsWorking: false } })).toBe(false);
});

it('keeps an exit through a newer target, a freeze and a stop', () => {
  const order = { ...openOrder({ purpose: 'stop_loss', status: 'working' }), targetId: null };
  const deployment = { frozenAt: MONDAY, requestedStatus: 'stopped' } as const;
  expect(cancels({ order, deployment, rebalancedAt: instant(MONDAY + 1) })).toBe(false);
});

it('keeps a stop through a pause: some protection beats none', () => {
  expect(cancels({ order: STOP, deployment: { status: 'paused' }, blocksPosition: true })).toBe(false);
  const older = { ...WANTED, price: 80 };
  expect(cancels({ order: STOP, deployment: { status: 'paused' }, wantedStop: older })).toBe(false);
  expect(cancels({ order: STOP, wantedStop: older })).toBe(true);
});

it('cancels a stop that could close too much at once, and one that another order waits for', () => {
  const smaller = { ...WANTED, quantity: toQuantity(5) };
  expect(cancels({ order: STOP, deployment: { status: 'paused' }, wantedStop: smaller })).toBe(true);
  expect(cancels({ order: STOP, wantedStop: null })).toBe(true);
  expect(cancels({ order: STOP, isOversized: true, agreementSigned: false })).toBe(true);
  expect(cancels({ order: STOP, blocksPosition: true })).toBe(true);
  // After a reset the broker would not show it: it is cancelled before, and placed again after.
  expect(cancels({ order: STOP, isResetNear: true })).toBe(true);
  expect(cancels({ order: STOP, isResetNear: true, deployment: { status: 'paused' } })).toBe(false);
  expect(cancels({ isResetNear: true })).toBe(false);
  expect(cancels({ order: STOP, blocksPosition: true, agreementSigned: false })).toBe(false);
});

it('cancels an order that has kept a stop waiting for too long, and never a stop for that', () => {
  expect(cancels({ keepsStopWaiting: true })).toBe(true);
  expect(cancels({ order: STOP, keepsStopWaiting: true })).toBe(false);
});

it('keeps requesting a cancellation once it was requested', () => {
  for (const code of ['cancel_requested', 'cancel_not_confirmed'] as const) {
    expect(cancels({ order: { ...STOP, reason: { code, parked: null } } })).toBe(true);
    expect(cancels({ order: { ...WORKING, reason: { code, parked: null } } })).toBe(true);
  }
});

describe('a cancellation', () => {
  const asked = { ...STOP, brokerOrderId: 'B', reason: { code: 'cancel_requested', parked: null } } as const;
  const requestsIn = (hours: number, visibility: Visibility) => {
    let order: OpenOrder = { ...asked, visibility };
    for (let ms = 0; ms < hours * HOUR_MS; ms += 300)
      if (isCancelDue(order, new Set([order.id]), wallInstant(ms)))
        order = { ...order, cancelTries: nextTry(order.cancelTries ?? undefined, wallInstant(ms)) };
    return order.cancelTries?.count;
  };

  it('is requested ever more rarely, and of an order that the broker does not show six times in all', () => {
    expect(requestsIn(1, 'shown')).toBe(11);
    expect(requestsIn(10, 'shown_earlier')).toBe(6);
    expect(requestsIn(10, 'never_shown')).toBe(6);
  });

  it('is a task for staff once a later look has not confirmed it, and no sooner', () => {
    const later = wallInstant(16_000);
    const isOverdue = (order: OpenOrder, realNow: WallInstant, speed = 1) =>
      isCancelOverdue(order, { realNow, speed });
    const looked = { ...asked, cancelLooks: 2 };
    expect(isOverdue(looked, wallInstant(1e6))).toBe(false);
    const once = { ...looked, cancelTries: { count: 1, lastAt: wallInstant(1_000) } };
    expect(isOverdue(once, wallInstant(1_000))).toBe(false);
    expect(isOverdue(once, later)).toBe(true);
    expect(isOverdue({ ...looked, cancelTries: { count: 2, lastAt: later } }, later)).toBe(true);
    expect(isOverdue({ ...once, status: 'cancelled' }, later)).toBe(false);
    // One look may have been too early, however late it was.
    expect(isOverdue({ ...once, cancelLooks: 1 }, later)).toBe(false);
    // In a market that is a hundred times as fast, 150 ms are as long as 15 s.
    expect(isOverdue(once, wallInstant(1_149), 100)).toBe(false);
    expect(isOverdue(once, wallInstant(1_150), 100)).toBe(true);
  });
});
