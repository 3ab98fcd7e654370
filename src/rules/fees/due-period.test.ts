import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instant } from '#units/instant.ts';
import { type BilledPeriods, COMMISSION_WAIT_DAYS, duePeriod } from './due-period.ts';

const START = Date.UTC(2026, 0, 7, 15);
const at = (days: number): Instant => instant(START + days * DAY_MS);

it('bills every moment of a deployment once: periods follow each other, and the closing one ends with it', () => {
  const lives = fc.record({
    feePeriod: fc.constantFrom('weekly' as const, 'monthly' as const),
    endedAt: fc.option(fc.integer({ min: 1, max: 200 }).map(at), { nil: null }),
    days: fc.integer({ min: 0, max: 250 }),
  });
  fc.assert(
    fc.property(lives, ({ feePeriod, endedAt, days }) => {
      const now = at(days);
      if (endedAt !== null && endedAt > now) return;
      let life: BilledPeriods = {
        id: 'D' as DeploymentId,
        feePeriod,
        billedThrough: null,
        deployedAt: at(0),
        endedAt,
        hasEstimates: false,
      };
      for (let due = duePeriod(life, now); due !== null; due = duePeriod(life, now)) {
        expect(due.start).toBe(life.billedThrough ?? life.deployedAt);
        expect(due.end).toBeGreaterThan(due.start);
        expect(due.end).toBeLessThanOrEqual(endedAt ?? now);
        expect(due.isClosing).toBe(due.end === endedAt);
        life = { ...life, billedThrough: due.end };
      }
      if (endedAt !== null) expect(life.billedThrough).toBe(endedAt);
    }),
  );
});

it('bills the end of a deployment only with the commissions of its broker, but waits for them a bounded time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 15 }), (lived, later) => {
      const life: BilledPeriods = {
        id: 'D' as DeploymentId,
        feePeriod: 'monthly',
        billedThrough: null,
        deployedAt: at(0),
        endedAt: at(lived),
        hasEstimates: true,
      };
      const due = duePeriod(life, at(lived + later));
      if (later < COMMISSION_WAIT_DAYS) expect(due).toBeNull();
      else expect(due).toMatchObject({ end: at(lived), isClosing: true });
      expect(duePeriod({ ...life, hasEstimates: false }, at(lived + later))).not.toBeNull();
    }),
  );
});
