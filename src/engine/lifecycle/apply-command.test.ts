import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { applyCommand, commandRefusal, DEPLOYMENT_COMMANDS, offeredCommands } from './apply-command.ts';
import { canMove, DEPLOYMENT_STATUSES, hasEnded, REQUESTED_STATUSES } from './status.ts';

const REQUESTED = [null, ...REQUESTED_STATUSES];
const anyDeployment = fc.record({
  status: fc.constantFrom(...DEPLOYMENT_STATUSES),
  requestedStatus: fc.constantFrom(...REQUESTED),
});
const anyCommand = fc.constantFrom(...DEPLOYMENT_COMMANDS, 'withdraw' as const);

describe('the commands that a deployment offers', () => {
  it.each([
    ['pending', ['resume', 'settings', 'stop']],
    ['active', ['pause', 'settings', 'liquidate', 'stop']],
    ['paused', ['resume', 'settings', 'liquidate', 'stop']],
    ['frozen', ['resume', 'settings', 'liquidate', 'stop']],
    ['stopping', ['liquidate']],
    ['failed', ['liquidate', 'stop']],
    ['stopped', []],
    ['liquidated', []],
  ] as const)('%s: %o', (status, commands) => {
    expect(offeredCommands(status)).toEqual(commands);
  });

  it('are those that are not refused', () => {
    for (const status of DEPLOYMENT_STATUSES) {
      for (const command of DEPLOYMENT_COMMANDS) {
        expect(commandRefusal(command, status) === null).toBe(offeredCommands(status).includes(command));
      }
    }
  });
});

test('what is requested is a state that the owner may move to, or moves through on its way to an end', () => {
  fc.assert(
    fc.property(anyDeployment, anyCommand, (deployment, command) => {
      const { status, requestedStatus } = deployment;
      const outcome = applyCommand(command, deployment);
      if (!outcome.ok || outcome.requestedStatus === requestedStatus) return;
      const to = outcome.requestedStatus;
      if (to === null) expect([status, requestedStatus, command]).toEqual(['active', 'paused', 'resume']);
      else {
        const mayMove = (one: typeof status) => canMove({ from: status, to: one, by: 'client' });
        expect(mayMove(to) || (to === 'stopped' && mayMove('stopping'))).toBe(true);
      }
    }),
  );
});

test('a deployment that has ended takes no commands, and none undoes an approved liquidation', () => {
  fc.assert(
    fc.property(anyDeployment, anyCommand, (deployment, command) => {
      if (!hasEnded(deployment.status) && deployment.requestedStatus !== 'liquidated') return;
      expect(applyCommand(command, deployment).ok).toBe(false);
    }),
  );
  const approved = { status: 'active', requestedStatus: 'liquidated' } as const;
  expect(applyCommand('stop', approved)).toEqual({ ok: false, refusal: { code: 'liquidation_approved' } });
});

test('a resume takes back a pause that has not happened yet', () => {
  const pausing = { status: 'active', requestedStatus: 'paused' } as const;
  expect(applyCommand('resume', pausing)).toEqual({ ok: true, requestedStatus: null });
});

test('only a deployment that has not begun is withdrawn', () => {
  expect(applyCommand('withdraw', { status: 'pending', requestedStatus: null })).toEqual({
    ok: true,
    requestedStatus: 'stopped',
  });
  expect(applyCommand('withdraw', { status: 'paused', requestedStatus: null })).toEqual({
    ok: false,
    refusal: { code: 'has_begun' },
  });
});

test('requesting a liquidation and changing settings request no state', () => {
  for (const command of ['liquidate', 'settings'] as const)
    expect(applyCommand(command, { status: 'active', requestedStatus: 'paused' })).toEqual({
      ok: true,
      requestedStatus: 'paused',
    });
});
