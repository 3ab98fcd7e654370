import { expect, it } from 'vitest';
import { parseWallInstant } from '#units/wall-instant.ts';
import { resetAt } from './reset-windows.ts';

const kindAt = (text: string) => resetAt(parseWallInstant(text))?.kind ?? null;

it('covers 23:40 to 00:45 New York time on week nights, in winter and in summer', () => {
  expect(kindAt('2026-01-14T04:39:59Z')).toBe(null);
  expect(kindAt('2026-01-14T04:40:00Z')).toBe('daily');
  expect(kindAt('2026-01-14T05:44:59Z')).toBe('daily');
  expect(kindAt('2026-01-14T05:45:00Z')).toBe(null);
  expect(kindAt('2026-07-14T03:40:00Z')).toBe('daily');
  expect(kindAt('2026-07-14T04:45:00Z')).toBe(null);
});

it('covers Friday 22:55 to Saturday 03:00, and not Saturday night', () => {
  expect(kindAt('2026-01-17T03:54:59Z')).toBe(null);
  expect(kindAt('2026-01-17T03:55:00Z')).toBe('weekend');
  expect(kindAt('2026-01-17T07:59:59Z')).toBe('weekend');
  expect(kindAt('2026-01-17T08:00:00Z')).toBe(null);
  expect(kindAt('2026-01-18T05:00:00Z')).toBe(null);
});

it('holds on the nights when the clocks change', () => {
  expect(kindAt('2026-03-09T03:45:00Z')).toBe('daily');
  expect(kindAt('2026-03-09T04:45:00Z')).toBe(null);
  expect(kindAt('2026-11-02T04:45:00Z')).toBe('daily');
  expect(kindAt('2026-11-02T05:45:00Z')).toBe(null);
});
