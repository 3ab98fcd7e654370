import { expect, test } from 'vitest';
import { opensBreaker, quarantine } from './quarantine.ts';
import { DEPLOYMENT_STATUSES, hasEnded } from './status.ts';

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
