import { expect, test } from 'vitest';
import {
  checkSilentBroker,
  DEFAULT_SILENT_BROKER,
  SILENT_BROKER_CHOICES,
  SILENT_MINUTES_OFFERED,
  silentBrokerLabel,
  silentBrokerMeaning,
} from './silent-broker.ts';

test('every length that a form offers is allowed, whatever is chosen for it', () => {
  for (const choice of SILENT_BROKER_CHOICES)
    for (const minutes of SILENT_MINUTES_OFFERED) expect(checkSilentBroker({ choice, minutes })).toBeNull();
  expect(checkSilentBroker(DEFAULT_SILENT_BROKER)).toBeNull();
});

test('a silence of a moment closes nothing, and one of more than a week is not offered', () => {
  const problem = (minutes: number) => checkSilentBroker({ choice: 'close', minutes });
  expect(problem(4)).toMatchObject({ field: 'silent_broker_minutes', code: 'below_minimum' });
  expect(problem(10_081)).toMatchObject({ field: 'silent_broker_minutes', code: 'above_maximum' });
  expect(checkSilentBroker({ choice: 'wait', minutes: 0 })).toBeNull();
});

test('lengths read as people say them', () => {
  const label = (minutes: number) => silentBrokerLabel({ choice: 'pause', minutes });
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
  expect(silentBrokerMeaning({ choice: 'pause', minutes: 60 })).toContain('once it is back');
  expect(silentBrokerMeaning({ choice: 'close', minutes: 60 })).toContain('once it is back');
});
