import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { opensBreaker, quarantine, release } from './quarantine.ts';
import { canMove, DEPLOYMENT_STATUSES, hasEnded } from './status.ts';
import type { DeploymentId } from '#units/identifiers.ts';

const failing = { task: 'fan-out', symbol: null } as const;

test('the circuit breaker opens once in a series of failures, at the fifth', () => {
  expect([1, 2, 3, 4, 5, 6, 7].filter(opensBreaker)).toEqual([5]);
});

test('a deployment that keeps failing is quarantined from every state but an end, with what failed', () => {
  for (const status of DEPLOYMENT_STATUSES) {
    const transition = quarantine({ status, requestedStatus: null }, failing);
    if (hasEnded(status) || status === 'failed') expect(transition).toBeNull();
    else expect(transition).toMatchObject({ status: 'failed', reason: { code: 'quarantined', failing } });
  }
});

test('a request stays requested, so that a stop still sells', () => {
  expect(quarantine({ status: 'active', requestedStatus: 'stopped' }, failing)?.requestedStatus).toBe(
    'stopped',
  );
});

const released = (from: (typeof DEPLOYMENT_STATUSES)[number]) => {
  const reason = quarantine({ status: from, requestedStatus: null }, failing)?.reason ?? null;
  return release({
    status: 'failed',
    requestedStatus: null,
    reason,
    openOrders: [],
    drawdownLimitPercent: 20,
  });
};

test('a release leads to where it came from: a freeze stays one, what was closing closes, and what traded is paused', () => {
  const to = Object.fromEntries(DEPLOYMENT_STATUSES.map((from) => [from, released(from)?.status ?? null]));
  expect(to).toEqual({
    pending: 'paused',
    active: 'paused',
    paused: 'paused',
    frozen: 'frozen',
    stopping: 'stopping',
    liquidating: 'liquidating',
    liquidated: null,
    stopped: null,
    failed: null,
  });
  for (const status of Object.values(to))
    if (status !== null) expect(canMove({ from: 'failed', to: status, by: 'support' })).toBe(true);
  expect(released('frozen')?.reason).toEqual({ code: 'drawdown_limit', limitPercent: 20 });
  // Nothing but a quarantine is released, and a request waits for it.
  const other = { openOrders: [], drawdownLimitPercent: 20 } as const;
  expect(release({ ...other, status: 'active', requestedStatus: null, reason: null })).toBeNull();
  expect(release({ ...other, status: 'failed', requestedStatus: null, reason: null })).toBeNull();
  const reason = { code: 'quarantined', failing, from: 'active' } as const;
  expect(release({ ...other, status: 'failed', requestedStatus: 'stopped', reason })?.requestedStatus).toBe(
    'stopped',
  );
});

test('after a release the circuit breaker counts from the beginning', () => {
  const breaker = createCircuitBreaker();
  const id = '00000000-0000-4000-8000-000000000001' as DeploymentId;
  const fail = () => {
    for (let nth = 0; nth < 5; nth++) breaker.failed(id, failing);
    return breaker.takeOpened().length;
  };
  expect(fail()).toBe(1);
  expect(fail()).toBe(0);
  breaker.forget(id);
  expect(fail()).toBe(1);
});
