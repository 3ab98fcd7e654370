import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, type IsoDate, parseInstant } from '#units/instant.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { type KnownConnection, newConnection } from './connection.ts';
import { waitsForLooks } from './waits-for-looks.ts';

/** A Tuesday; the session of Monday has closed. */
const NOW = parseInstant('2026-03-03T12:00:00Z');
const AAA = 'AAA' as Symbol;
const since = wallInstant(0);

/** It holds AAA, as the books say. */
function calm(): KnownConnection {
  const known = newConnection();
  const { seen } = known.health;
  const difference = new Map([[AAA, { units: 0, held: 10, since, stillSince: since }]]);
  known.health = {
    ...known.health,
    isCompared: true,
    seen: { ...seen, difference, unexplained: new Map([[AAA, 0]]) },
  };
  known.cash = {
    date: '2026-03-02' as IsoDate,
    isFinal: true,
    hasBreak: false,
    settled: '2026-03-02' as IsoDate,
    seen: null,
    feesReadAt: NOW,
  };
  known.breaks = new Map();
  return known;
}

test('an account that holds what the books say waits for nothing', () => {
  expect(waitsForLooks(calm(), NOW)).toBe(false);
});

test.each<[string, (known: KnownConnection) => void]>([
  ['positions are not compared', (known) => (known.health = { ...known.health, isCompared: false })],
  [
    'a row could not be read',
    (known) => (known.health = { ...known.health, unsure: new Map([[AAA, {}]]) as never }),
  ],
  [
    'it holds something else',
    ({ health }) => (health.seen.difference as Map<Symbol, object>).set(AAA, { units: 1 }),
  ],
  [
    'a difference is unexplained',
    ({ health }) => (health.seen.unexplained as Map<Symbol, number>).set(AAA, -2),
  ],
  ['a break is recorded', (known) => (known.breaks = new Map([['AAA', 'x']]))],
  ['its stops would sell too much', (known) => (known.health = { ...known.health, hasOversizedStops: true })],
  ['an execution is held', (known) => (known.hasHeldExecutions = true)],
  ['orders are a task for staff', (known) => (known.hasOrderIncidents = true)],
  ['a commission is missing', (known) => (known.hasMissingCommission = true)],
  ['its cash was never read', (known) => (known.cash = null)],
  ['its cash is not settled', (known) => (known.cash = { ...known.cash!, settled: null })],
])('an account waits for looks while %s', (_, open) => {
  const known = calm();
  open(known);
  expect(waitsForLooks(known, NOW)).toBe(true);
});

test('after the next close it waits until its cash is stated', () => {
  expect(waitsForLooks(calm(), (NOW + DAY_MS) as Instant)).toBe(true);
});
