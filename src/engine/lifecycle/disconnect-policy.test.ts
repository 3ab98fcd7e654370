import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterDisconnect, DISCONNECT_CHOICES } from './disconnect-policy.ts';
import { DEPLOYMENT_STATUSES } from './status.ts';

const idle = (status: (typeof DEPLOYMENT_STATUSES)[number]) => ({ status, requestedStatus: null });

test('a silence shorter than the chosen one does nothing, nor does the choice to wait', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DEPLOYMENT_STATUSES),
      fc.constantFrom(...DISCONNECT_CHOICES),
      fc.nat(500),
      fc.nat(500),
      (status, choice, minutes, silent) => {
        const requested = afterDisconnect(idle(status), { choice, minutes }, silent);
        if (choice === 'wait' || minutes === 0 || silent < minutes) expect(requested).toBeNull();
      },
    ),
  );
});

test('a pause applies to active deployments; a close also to paused or frozen ones', () => {
  const after = (choice: 'pause' | 'close') =>
    DEPLOYMENT_STATUSES.filter((status) => afterDisconnect(idle(status), { choice, minutes: 5 }, 5) !== null);
  expect(after('pause')).toEqual(['active']);
  expect(after('close')).toEqual(['active', 'paused', 'frozen']);
});

test('a request by a person goes first', () => {
  const asked = { status: 'active', requestedStatus: 'active' } as const;
  expect(afterDisconnect(asked, { choice: 'close', minutes: 5 }, 60)).toBeNull();
});
