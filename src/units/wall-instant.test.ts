import { expect, it } from 'vitest';
import { type Instant, instant, MINUTE_MS } from './instant.ts';
import {
  marketInstantOf,
  msBetween,
  parseWallInstant,
  type WallInstant,
  wallAfter,
  wallDate,
  wallInstant,
  wallInstantOf,
  wallText,
} from './wall-instant.ts';

const WALL = parseWallInstant('2026-03-02T15:00:00Z');
const MARKET = instant(1_000_000);

it('counts from one wall instant to another, and says when they were', () => {
  const later = wallAfter(WALL, MINUTE_MS);
  expect([msBetween(WALL, later), msBetween(later, WALL)]).toEqual([MINUTE_MS, -MINUTE_MS]);
  expect([wallText(later), wallDate(later)]).toEqual(['2026-03-02T15:01:00.000Z', '2026-03-02']);
  expect(() => wallInstant(0.5)).toThrow(RangeError);
  expect(() => parseWallInstant('soon')).toThrow(RangeError);
});

it('is converted in both directions by name only', () => {
  expect(wallInstantOf(marketInstantOf(WALL))).toBe(WALL);
});

it('does not compile where the clocks are mixed', () => {
  const takesMarket = (at: Instant) => at;
  const takesWall = (at: WallInstant) => at;
  const mixes = () => [
    // @ts-expect-error the wall's clock passed for the market's
    takesMarket(WALL),
    // @ts-expect-error the market's clock passed for the wall's
    takesWall(MARKET),
    // @ts-expect-error a number without a clock
    takesWall(1_000_000),
    // @ts-expect-error a market instant called a wall instant
    wallInstant(MARKET),
    // @ts-expect-error a difference of two clocks
    WALL - MARKET,
    // @ts-expect-error a comparison of two clocks
    WALL < MARKET,
    // @ts-expect-error a difference of two clocks, by name
    msBetween(WALL, MARKET),
    // @ts-expect-error the later of two clocks
    Math.max(WALL, MARKET),
  ];
  expect(mixes).toBeTypeOf('function');
});
