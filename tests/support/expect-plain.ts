import { expect } from 'vitest';

/** Whole sentences, and nothing of how the product or a vendor is built. */
export function expectPlain(text: string): void {
  expect(text).toMatch(/^[A-Z].*\.$/);
  expect(text).not.toMatch(/[<>{}_`]|\$\{|undefined|null|NaN|Infinity|\[object|HTTP|UND_ERR|\bE[A-Z]{4,}\b/);
  expect(text).not.toMatch(/ {2}|\.\.| \.|:\.|“”|\(\)/);
}
