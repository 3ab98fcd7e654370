import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { incidentChanges, type IncidentKey, incidentSlot } from './incident-changes.ts';
import { INCIDENT_KINDS, incidentRule, runbookAnchor } from './incident-kind.ts';
import { severityAt } from './severity-at.ts';
import { wallInstant } from '#units/wall-instant.ts';

const key: fc.Arbitrary<IncidentKey> = fc.record({
  kind: fc.constantFrom(...INCIDENT_KINDS),
  subject: fc.constantFrom('a', 'b', 'c'),
  symbol: fc.constantFrom(null, 'SPY' as Symbol),
});

test('afterwards exactly the wanted incidents are open, whatever was open before', () => {
  fc.assert(
    fc.property(fc.array(key), fc.array(key), (open, wanted) => {
      const before = new Set(open.map(incidentSlot));
      const { held, ended } = incidentChanges(
        open,
        wanted.map((one) => ({ ...one, facts: {} })),
      );
      const after = new Set([...before, ...held.map(incidentSlot)]);
      for (const one of ended) after.delete(incidentSlot(one));
      expect(after).toEqual(new Set(wanted.map(incidentSlot)));
      expect(held.length).toBe(new Set(held.map(incidentSlot)).size);
      // A second pass over the same facts ends nothing.
      expect(incidentChanges(held, held).ended).toEqual([]);
    }),
  );
});

test('the severity of an incident never falls while it lasts', () => {
  const ages = fc.integer({ min: 0, max: 10_000_000 });
  fc.assert(
    fc.property(fc.constantFrom(...INCIDENT_KINDS), ages, ages, (kind, one, other) => {
      const rule = incidentRule(kind);
      const [young, old] = [Math.min(one, other), Math.max(one, other)];
      const at = (age: number) => severityAt(rule, wallInstant(0), wallInstant(age));
      if (at(young) === 'act_now') expect(at(old)).toBe('act_now');
      if (at(old) !== rule.severity) expect(old).toBeGreaterThanOrEqual(rule.escalatesAfterMs ?? Infinity);
    }),
  );
});

test('each kind has a place of its own in the runbook', () => {
  const anchors = INCIDENT_KINDS.map(runbookAnchor);
  expect(new Set(anchors).size).toBe(anchors.length);
  for (const anchor of anchors) expect(anchor).toMatch(/^[a-z]+(-[a-z]+)*$/);
});
