import { expect, test } from 'vitest';
import { instant, MINUTE_MS } from '#units/instant.ts';
import { RequestCounter } from './request-counter.ts';

const START = Date.UTC(2026, 0, 5);
const at = (ms: number) => instant(START + ms);

test('the first of a window pass, and the rest wait until it ends', () => {
  const counter = new RequestCounter(MINUTE_MS);
  const waits = [0, 1_000, 2_000, 59_999].map((ms) => counter.count('ada', 2, at(ms)));
  expect(waits).toEqual([0, 0, 58_000, 1]);
  expect(counter.count('ada', 2, at(60_000))).toBe(0);
});

test('each has an own count', () => {
  const counter = new RequestCounter(MINUTE_MS);
  expect(['ada', 'bob', 'ada', 'bob'].map((key) => counter.count(key, 1, at(0)) > 0)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('a clock that was set back locks nobody out', () => {
  const counter = new RequestCounter(MINUTE_MS);
  for (let i = 0; i < 3; i++) counter.count('ada', 1, at(10 * MINUTE_MS));
  expect(counter.count('ada', 1, at(0))).toBe(0);
  expect(counter.count('ada', 1, at(0))).toBe(MINUTE_MS);
});

test('what has ended is forgotten, and of very many the oldest', () => {
  const counter = new RequestCounter(MINUTE_MS);
  for (let i = 0; i < 1_000; i++) counter.count(`early ${i}`, 1, at(0));
  for (let i = 0; i < 1_000; i++) counter.count(`late ${i}`, 1, at(2 * MINUTE_MS));
  expect(counter.size).toBe(1_000);
  for (let i = 0; i < 110_000; i++) counter.count(`flood ${i}`, 1, at(2 * MINUTE_MS + 1));
  expect(counter.size).toBe(100_000);
  expect(counter.count('flood 109999', 1, at(2 * MINUTE_MS + 2))).toBeGreaterThan(0);
});
