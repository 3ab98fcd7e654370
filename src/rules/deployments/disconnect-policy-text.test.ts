import { expect, test } from 'vitest';
import { DISCONNECT_CHOICES } from '#engine/lifecycle/disconnect-policy.ts';
import {
  checkDisconnectPolicy,
  DEFAULT_DISCONNECT_POLICY,
  DISCONNECT_MINUTES_OFFERED,
  disconnectPolicyLabel,
  disconnectPolicyMeaning,
} from './disconnect-policy-text.ts';

test('every length that a form offers is allowed with every choice', () => {
  for (const choice of DISCONNECT_CHOICES)
    for (const minutes of DISCONNECT_MINUTES_OFFERED)
      expect(checkDisconnectPolicy({ choice, minutes })).toBeNull();
  expect(checkDisconnectPolicy(DEFAULT_DISCONNECT_POLICY)).toBeNull();
});

test('a silence of a moment closes nothing, and one of more than a week is not offered', () => {
  const problem = (minutes: number) => checkDisconnectPolicy({ choice: 'close', minutes });
  expect(problem(4)).toMatchObject({ field: 'disconnect_minutes', code: 'below_minimum' });
  expect(problem(10_081)).toMatchObject({ field: 'disconnect_minutes', code: 'above_maximum' });
  expect(checkDisconnectPolicy({ choice: 'wait', minutes: 0 })).toBeNull();
});

test('lengths read as people say them', () => {
  const label = (minutes: number) => disconnectPolicyLabel({ choice: 'pause', minutes });
  expect([15, 60, 90, 240, 1_440, 2_880].map(label)).toEqual([
    'Pause after 15 minutes',
    'Pause after 1 hour',
    'Pause after 90 minutes',
    'Pause after 4 hours',
    'Pause after 1 day',
    'Pause after 2 days',
  ]);
});

test('no choice promises to act while the broker is silent', () => {
  expect(disconnectPolicyMeaning({ choice: 'pause', minutes: 60 })).toContain('once it is back');
  expect(disconnectPolicyMeaning({ choice: 'close', minutes: 60 })).toContain('once it is back');
});
