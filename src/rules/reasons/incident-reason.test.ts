import { expect, test } from 'vitest';
import { INCIDENT_KINDS } from '#engine/incidents/incident-kind.ts';
import { incidentNote } from './incident-note.ts';
import { incidentText } from './incident-reason.ts';

const FACTS = {
  task: 'tick',
  said: 'no answer',
  violations: 1,
  until: '2026-03-05T14:31:00.000Z',
  job: 'mail',
};

test.each(INCIDENT_KINDS)('%s has a title, a meaning and a next step in whole sentences', (kind) => {
  const { title, what, next } = incidentText({ kind, facts: FACTS });
  expect(title).toMatch(/^[A-Z][^.]+$/);
  for (const sentence of [what, next]) {
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).not.toMatch(/undefined|null|NaN|_/);
  }
});

test('the owner reads the first incident that concerns them, without our tasks and codes', () => {
  expect(incidentNote(['trader_silent', 'order_unconfirmed', 'position_unprotected'])).toMatch(
    /outcome of an order/,
  );
  expect(incidentNote(['trader_silent'])).toBeNull();
  for (const kind of INCIDENT_KINDS) expect(incidentNote([kind]) ?? '').not.toMatch(/task|_/);
});
