import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectivePermission, effectiveStatus, followsStrategy, isClosing } from './effective-status.ts';
import { DEPLOYMENT_STATUSES, REQUESTED_STATUSES, tradingPermission } from './status.ts';

const REQUESTED = [null, ...REQUESTED_STATUSES];
const anyDeployment = fc.record({
  status: fc.constantFrom(...DEPLOYMENT_STATUSES),
  requestedStatus: fc.constantFrom(...REQUESTED),
});
const RANK = { none: 0, exits_only: 1, full: 2 } as const;

test('a command never lets a deployment trade more than its state does', () => {
  fc.assert(
    fc.property(anyDeployment, (deployment) => {
      const { status } = deployment;
      expect(RANK[effectivePermission(deployment)]).toBeLessThanOrEqual(RANK[tradingPermission(status)]);
    }),
  );
});

test('a requested pause counts as paused in any state', () => {
  for (const status of DEPLOYMENT_STATUSES)
    expect(effectivePermission({ status, requestedStatus: 'paused' })).toBe('none');
});

test('a requested end closes, buys nothing more, and follows no target', () => {
  for (const requestedStatus of ['stopped', 'liquidated'] as const) {
    const ending = { status: 'active', requestedStatus } as const;
    expect([isClosing(ending), effectivePermission(ending), followsStrategy(ending)]).toEqual([
      true,
      'exits_only',
      false,
    ]);
    // A deployment that sends nothing keeps sending nothing until the command is carried out.
    expect(effectiveStatus({ status: 'paused', requestedStatus })).toBe('paused');
  }
});

test('it follows its strategy only while nothing else is requested, and then closes nothing', () => {
  fc.assert(
    fc.property(anyDeployment, (deployment) => {
      const { status, requestedStatus } = deployment;
      const isAsked = requestedStatus !== null && requestedStatus !== 'active';
      expect(followsStrategy(deployment)).toBe((status === 'active' || status === 'frozen') && !isAsked);
      expect(followsStrategy(deployment) && isClosing(deployment)).toBe(false);
    }),
  );
});

test('without a command the state decides', () => {
  for (const status of DEPLOYMENT_STATUSES)
    expect(effectiveStatus({ status, requestedStatus: null })).toBe(status);
});
