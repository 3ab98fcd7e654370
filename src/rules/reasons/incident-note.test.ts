import { expect, test } from 'vitest';
import { INCIDENT_KINDS } from '#engine/incidents/incident-kind.ts';
import { incidentNote } from './incident-note.ts';

test('the owner reads the first incident that concerns them, without our tasks and codes', () => {
  expect(incidentNote(['trader_silent', 'order_unconfirmed', 'position_unprotected'])).toMatch(
    /outcome of an order/,
  );
  expect(incidentNote(['trader_silent'])).toBeNull();
  for (const kind of INCIDENT_KINDS) expect(incidentNote([kind]) ?? '').not.toMatch(/task|_/);
});
