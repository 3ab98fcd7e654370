import { expect, it } from 'vitest';
import { addDays, type Instant, MINUTE_MS, SECOND_MS, utcDate } from '#units/instant.ts';
import { MARKET } from '../../../tests/support/engine/deployment-snapshot.ts';
import { AAA, MONDAY } from '../../../tests/support/engine/open-order.ts';
import { findBarDoubt, findQuoteDoubt } from './feed-doubt.ts';

const instrument = MARKET.instruments.get(AAA)!;
const ago = (ms: number) => (MONDAY - ms) as Instant;
const doubtOf = (other: { last: number; at: Instant } | null, more: { open?: boolean; last?: number } = {}) =>
  findQuoteDoubt(
    { last: 100, at: MONDAY, open: true, check: { feed: 'Other', quote: other, said: 'away' }, ...more },
    { instrument, now: MONDAY, speed: 1 },
  )?.code ?? null;

it('doubts a quote by more than a percent of the lower price, at the same minute', () => {
  const at = ago(30 * SECOND_MS);
  expect([99.1, 100, 101].map((last) => doubtOf({ last, at }))).toEqual([null, null, null]);
  expect([98.9, 101.1, 1, 10_000].map((last) => doubtOf({ last, at }))).toEqual(
    Array(4).fill('feeds_differ'),
  );
});

it('compares no prices of different minutes', () => {
  const quote = { last: 100, at: ago(-2 * SECOND_MS), open: true };
  const check = { feed: 'Other', quote: { last: 90, at: ago(59 * SECOND_MS) }, said: null };
  const market = { instrument, now: MONDAY, speed: 1 };
  expect(findQuoteDoubt({ ...quote, check }, market)).toBeNull();
  const sooner = { ...check, quote: { last: 90, at: ago(57 * SECOND_MS) } };
  expect(findQuoteDoubt({ ...quote, check: sooner }, market)?.code).toBe('feeds_differ');
});

it('doubts a quote whose second feed is silent or late while the market is open, and never while it is closed', () => {
  expect(doubtOf(null)).toBe('check_silent');
  expect(doubtOf({ last: 100, at: ago(2 * MINUTE_MS) })).toBe('check_late');
  expect(doubtOf(null, { open: false })).toBeNull();
  expect(doubtOf({ last: 50, at: MONDAY }, { open: false })).toBeNull();
});

it('checks the close of a part of a session by its end', () => {
  const market = { kind: 'equity', now: MONDAY } as const;
  const bar = { date: utcDate(MONDAY), closedAt: ago(MINUTE_MS), close: 100 };
  const doubt = (closes: ReadonlyMap<Instant, number>) =>
    findBarDoubt(bar, { feed: 'Other', closes, said: null }, market)?.code ?? null;
  expect(doubt(new Map([[bar.closedAt, 100.5]]))).toBeNull();
  expect(doubt(new Map([[bar.closedAt, 102]]))).toBe('feeds_differ');
  expect(doubt(new Map([[MONDAY, 100]]))).toBe('check_silent');
});

it('needs no second feed where there is none', () => {
  expect(
    findQuoteDoubt({ last: 100, at: MONDAY, open: true }, { instrument, now: MONDAY, speed: 1 }),
  ).toBeNull();
});

it('checks the closes of the last ten days, and trusts what a vendor says about the time before', () => {
  const market = { kind: 'equity', now: MONDAY } as const;
  const doubt = (daysAgo: number, closes: number | null) => {
    const date = addDays(utcDate(MONDAY), -daysAgo);
    const found = closes === null ? null : new Map([[date, closes]]);
    const check = { feed: 'Other', closes: found, said: null };
    return findBarDoubt({ date, closedAt: MONDAY, close: 100 }, check, market)?.code ?? null;
  };
  expect([doubt(1, 100.9), doubt(1, 101.1), doubt(1, null)]).toEqual([null, 'feeds_differ', 'check_silent']);
  expect([doubt(10, 200), doubt(11, 200), doubt(11, null)]).toEqual(['feeds_differ', null, null]);
});
