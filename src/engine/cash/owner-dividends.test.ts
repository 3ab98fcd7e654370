import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, parseInstant } from '#units/instant.ts';
import { micro, toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import {
  type OwnerDividend,
  type OwnerHolding,
  ownerDividends,
  unbookedDividends,
} from './owner-dividends.ts';

const opened = parseInstant('2026-03-02T15:00:00Z');
const trade = (units: number, at: string) => ({ traded: toQuantity(units), at: parseInstant(at) });
const holding = (external: OwnerHolding['external'], passed: string | null = '2026-03-10'): OwnerHolding => ({
  symbol: 'AAA' as Symbol,
  calendar: 'us-equity',
  external,
  passed: passed as IsoDate | null,
});
const dividend = (exDate: string, amount: number): CorporateAction => ({
  kind: 'dividend',
  exDate: exDate as IsoDate,
  amount,
});

it('count what was held at the close before the ex-date, in the shares of that session', () => {
  const external = [
    trade(40, '2026-03-02T15:00:00Z'),
    trade(-10, '2026-03-05T20:59:00Z'),
    trade(5, '2026-03-06T15:00:00Z'),
  ];
  const split: CorporateAction = { kind: 'split', exDate: '2026-03-04' as IsoDate, amount: 2 };
  expect(ownerDividends(holding(external), [split, dividend('2026-03-06', 0.5)], opened)).toEqual([
    { symbol: 'AAA', sessionDate: '2026-03-05', units: toQuantity(70), amount: toMicro(35) },
  ]);
});

it('are none before the opening, and none before their session is processed', () => {
  const external = [trade(40, '2026-03-02T15:00:00Z')];
  const before = dividend('2026-03-02', 1);
  const later = dividend('2026-03-12', 1);
  expect(ownerDividends(holding(external), [before, later], opened)).toEqual([]);
  expect(ownerDividends(holding(external, null), [dividend('2026-03-05', 1)], opened)).toEqual([]);
});

it('are charged on what the account is short of', () => {
  const external = [trade(-3, '2026-03-02T15:00:00Z')];
  const [paid] = ownerDividends(holding(external), [dividend('2026-03-05', 0.25)], opened);
  expect(paid?.amount).toBe(toMicro(-0.75));
});

it('are booked once, and the sum follows whatever becomes known late', () => {
  const trades = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 8 * 24 }).map((hours) => (opened + hours * 3_600_000) as Instant),
      traded: fc.integer({ min: -500, max: 500 }).map((units) => toQuantity(units) as Quantity),
    }),
    { maxLength: 6 },
  );
  const actions = [dividend('2026-03-05', 0.37), dividend('2026-03-09', 1.11)];
  fc.assert(
    fc.property(fc.array(trades, { minLength: 1, maxLength: 4 }), (looks) => {
      const booked: OwnerDividend[] = [];
      const known: OwnerHolding['external'][number][] = [];
      for (const fresh of looks) {
        known.push(...fresh);
        const due = ownerDividends(holding(known), actions, opened);
        booked.push(...unbookedDividends(due, booked));
        expect(unbookedDividends(due, booked)).toEqual([]);
        for (const { sessionDate, amount } of due)
          expect(
            booked
              .filter((one) => one.sessionDate === sessionDate)
              .reduce((sum, one) => micro(sum + one.amount), micro(0)),
          ).toBe(amount);
      }
    }),
  );
});
