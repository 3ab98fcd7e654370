import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, instant, parseInstant, SECOND_MS } from '#units/instant.ts';
import { sessionAt } from '../calendar.ts';
import { KIND_RULES } from './rules-of.ts';
import { isPriceTooOld, marketSpeed } from './price-age.ts';

const SHARE = { kind: 'equity', calendar: 'us-equity' } as const;
const COIN = { kind: 'crypto', calendar: 'crypto' } as const;
const FRIDAY_CLOSE = parseInstant('2026-03-06T21:00:00Z');
const MONDAY_OPEN = parseInstant('2026-03-09T13:30:00Z');

describe('the age of a price', () => {
  it('counts only while its instrument trades: a close is the newest price until the next opening', () => {
    const limit = KIND_RULES.equity.priceMaxAgeMs;
    const at = (now: number, pricedAt: number = FRIDAY_CLOSE) =>
      isPriceTooOld({ instrument: SHARE, pricedAt: instant(pricedAt), now: instant(now), speed: 1 });
    expect([at(FRIDAY_CLOSE + DAY_MS), at(MONDAY_OPEN), at(MONDAY_OPEN + limit)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(at(MONDAY_OPEN + limit + 1)).toBe(true);
    expect(at(MONDAY_OPEN + HOUR_MS + limit, MONDAY_OPEN + HOUR_MS)).toBe(false);
    expect(at(MONDAY_OPEN + HOUR_MS + limit + 1, MONDAY_OPEN + HOUR_MS)).toBe(true);
  });

  it('does not begin again at midnight where a market never closes', () => {
    const midnight = parseInstant('2026-03-09T00:00:00Z');
    const pricedAt = instant(midnight - HOUR_MS);
    expect(isPriceTooOld({ instrument: COIN, pricedAt, now: instant(midnight + 1), speed: 1 })).toBe(true);
  });

  it('is never too old within the limit, always beyond it in an open session, and grows with the speed', () => {
    const ms = fc.integer({ min: 0, max: 10 * DAY_MS });
    fc.assert(
      fc.property(
        fc.constantFrom(SHARE, COIN),
        ms,
        ms,
        fc.constantFrom(1, 60, 4_320),
        (instrument, from, age, speed) => {
          const pricedAt = instant(FRIDAY_CLOSE + from);
          const now = instant(pricedAt + age);
          const isOld = isPriceTooOld({ instrument, pricedAt, now, speed });
          const limit = KIND_RULES[instrument.kind].priceMaxAgeMs * speed;
          if (age <= limit) expect(isOld).toBe(false);
          const open = sessionAt(instrument.calendar, now);
          if (open !== null && open.opensAt <= pricedAt) expect(isOld).toBe(age > limit);
          if (open === null) expect(isOld).toBe(false);
        },
      ),
    );
  });

  it('takes the speed of the market from the length of its day', () => {
    expect([marketSpeed(86_400), marketSpeed(60), marketSpeed(200_000)]).toEqual([1, 1_440, 1]);
    expect(KIND_RULES.forex.priceMaxAgeMs).toBeGreaterThanOrEqual(5 * SECOND_MS);
  });
});
