import { expect, test } from 'vitest';
import { parseInstant } from '#units/instant.ts';
import { isTooLate } from './time-to-act.ts';

const lateAt = (asOf: string, interval: '1m' | '1h' | undefined, now: string) =>
  isTooLate({ asOf: parseInstant(asOf), interval }, 'us-equity', parseInstant(now));

test('a target is traded for as long as its interval lasts', () => {
  const close = '2026-11-23T16:30:00Z';
  expect(lateAt(close, '1h', '2026-11-23T17:30:00Z')).toBe(false);
  expect(lateAt(close, '1h', '2026-11-23T17:30:01Z')).toBe(true);
  expect(lateAt(close, '1m', '2026-11-23T16:31:00Z')).toBe(false);
  expect(lateAt(close, '1m', '2026-11-23T16:31:01Z')).toBe(true);
});

test('the time of the last close of a day begins with the next session', () => {
  const close = '2026-11-20T21:00:00Z';
  expect(lateAt(close, '1h', '2026-11-23T14:30:00Z')).toBe(false);
  expect(lateAt(close, '1h', '2026-11-23T15:30:00Z')).toBe(false);
  expect(lateAt(close, '1h', '2026-11-23T15:31:00Z')).toBe(true);
  expect(lateAt('2026-11-20T20:30:00Z', '1h', '2026-11-23T15:10:00Z')).toBe(true);
});

test('a target of days is never too late', () => {
  expect(lateAt('2026-11-02T21:00:00Z', undefined, '2026-11-30T15:00:00Z')).toBe(false);
});
