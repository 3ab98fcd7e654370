import { expect } from 'vitest';
import type { Comparison } from './comparison.ts';

export function expectAgreement(comparisons: readonly Comparison[]): void {
  expect(comparisons.length, 'values compared').toBeGreaterThan(0);
  for (const { what, theirs, ours, difference, tolerance } of comparisons)
    expect(difference, `${what}: theirs ${theirs}, ours ${ours}`).toBeLessThanOrEqual(tolerance);
}
