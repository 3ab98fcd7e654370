import { expect, test } from 'vitest';
import { showWait } from './show-wait.ts';

test.each([
  ['2026-01-05T15:00:00Z', '2026-01-05T15:00:59Z', 'less than a minute'],
  ['2026-01-05T15:00:00Z', '2026-01-05T15:01:00Z', '1 minute'],
  ['2026-01-05T15:00:00Z', '2026-01-05T17:05:59Z', '2 hours 5 minutes'],
  ['2026-01-05T15:00:00Z', '2026-01-05T16:00:10Z', '1 hour'],
  ['2026-01-05T15:00:00Z', '2026-01-08T14:59:00Z', '2 days 23 hours'],
  ['2026-01-05T15:00:00Z', '2026-01-05T14:59:00Z', 'less than a minute'],
])('from %s to %s is %s', (since, until, said) => expect(showWait(since, until)).toBe(said));
