import { expect, test } from 'vitest';
import { startOf } from './start-of.ts';

test('a sign-in leads support to the desk and all other users to the dashboard', () => {
  expect(startOf({ role: 'support' })).toBe('/operations');
  expect(startOf({ role: 'admin' })).toBe('/staff');
  expect(startOf({ role: 'auditor' })).toBe('/audit-log');
  for (const role of ['investor', 'provider'] as const) expect(startOf({ role })).toBe('/dashboard');
});
