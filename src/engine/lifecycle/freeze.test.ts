import { expect, test } from 'vitest';
import { freeze } from './freeze.ts';
import { DEPLOYMENT_STATUSES } from './status.ts';

test('active and paused deployments freeze, and report the limit', () => {
  const freezes = DEPLOYMENT_STATUSES.filter(
    (status) => freeze({ status, requestedStatus: null }, 25) !== null,
  );
  expect(freezes).toEqual(['active', 'paused']);
  expect(freeze({ status: 'active', requestedStatus: null }, 25)?.reason).toEqual({
    code: 'drawdown_limit',
    limitPercent: 25,
  });
});

test('of the requested states only an end remains', () => {
  const left = (['active', 'paused', 'stopped', 'liquidated'] as const).map(
    (requestedStatus) => freeze({ status: 'paused', requestedStatus }, 25)?.requestedStatus,
  );
  expect(left).toEqual([null, null, 'stopped', 'liquidated']);
});
