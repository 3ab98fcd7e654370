import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, type Instant, isoText, parseInstant } from '#units/instant.ts';
import { FEE_PERIODS, feeDueAt, lastFeePeriodEnd, nextFeePeriodEnd } from './fee-period.ts';

const at = (text: string) => parseInstant(text);

it('ends a week on Monday and a month on its first day, at midnight', () => {
  const last = (length: 'weekly' | 'monthly', text: string) => isoText(lastFeePeriodEnd(length, at(text)));
  expect(last('weekly', '2026-03-04T15:00:00Z')).toBe('2026-03-02T00:00:00.000Z');
  expect(last('weekly', '2026-03-02T00:00:00Z')).toBe('2026-03-02T00:00:00.000Z');
  expect(last('weekly', '2026-03-01T23:59:59.999Z')).toBe('2026-02-23T00:00:00.000Z');
  expect(last('monthly', '2026-03-04T15:00:00Z')).toBe('2026-03-01T00:00:00.000Z');
  expect(isoText(nextFeePeriodEnd('monthly', at('2026-02-01T00:00:00Z')))).toBe('2026-03-01T00:00:00.000Z');
  expect(isoText(nextFeePeriodEnd('monthly', at('2026-12-31T23:59:59Z')))).toBe('2027-01-01T00:00:00.000Z');
});

it('continues from any end to the next one, without gap or overlap', () => {
  const instants = fc.integer({ min: 0, max: at('2200-01-01') }).map((ms) => ms as Instant);
  fc.assert(
    fc.property(instants, fc.constantFrom(...FEE_PERIODS), (when, length) => {
      const [last, next] = [lastFeePeriodEnd(length, when), nextFeePeriodEnd(length, when)];
      expect(last).toBeLessThanOrEqual(when);
      expect(next).toBeGreaterThan(when);
      expect(lastFeePeriodEnd(length, (next - 1) as Instant)).toBe(last);
      expect(lastFeePeriodEnd(length, next)).toBe(next);
    }),
  );
});

it('is due five days after the end', () => {
  const end = at('2026-03-02');
  expect(feeDueAt(end) - end).toBe(5 * DAY_MS);
});
