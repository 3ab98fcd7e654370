import { describe, expect, it } from 'vitest';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { add, fromMicro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { periodEnd, periodPrice, planChange, unusedValue } from './plan-period.ts';
import { planOf } from './plans.ts';

const at = (text: string) => parseInstant(text);

describe('a period', () => {
  it('costs a month, or twelve months at the yearly price', () => {
    expect(fromMicro(periodPrice(planOf('pro'), 'monthly'))).toBe(79);
    expect(fromMicro(periodPrice(planOf('pro'), 'yearly'))).toBe(63 * 12);
    expect(periodPrice(planOf('free'), 'yearly')).toBe(ZERO_MICRO);
  });

  it('ends on the same day of the next month, or on its last where it has no such day', () => {
    const anchor = at('2027-01-31T10:15:00Z');
    const ends: string[] = [];
    let after: Instant = anchor;
    for (let month = 0; month < 3; month++) ends.push(isoText((after = periodEnd(anchor, 'monthly', after))));
    expect(ends).toEqual([
      '2027-02-28T10:15:00.000Z',
      '2027-03-31T10:15:00.000Z',
      '2027-04-30T10:15:00.000Z',
    ]);
  });

  it('of a year that began on a leap day ends on 28 February', () => {
    const anchor = at('2028-02-29T00:00:00Z');
    expect(isoText(periodEnd(anchor, 'yearly', anchor))).toBe('2029-02-28T00:00:00.000Z');
  });

  it('is worth its remaining days', () => {
    const period = {
      price: toMicro(30),
      start: at('2027-04-01T00:00:00Z'),
      end: at('2027-05-01T00:00:00Z'),
    };
    expect(unusedValue(period, period.start)).toBe(toMicro(30));
    expect(unusedValue(period, at('2027-04-10T18:00:00Z'))).toBe(toMicro(21));
    expect(unusedValue(period, period.end)).toBe(0);
    expect(unusedValue(period, at('2027-06-01T00:00:00Z'))).toBe(0);
  });
});

describe('changing a plan', () => {
  const now = at('2027-04-16T00:00:00Z');
  const current = {
    price: toMicro(29),
    start: at('2027-04-01T00:00:00Z'),
    end: at('2027-05-01T00:00:00Z'),
  };

  it('takes the unused days of the old period off the new price', () => {
    const change = planChange({
      plan: planOf('pro'),
      interval: 'monthly',
      current,
      credit: ZERO_MICRO,
      now,
    });
    expect(change).toEqual({
      price: toMicro(79),
      unused: toMicro(14.5),
      creditUsed: toMicro(14.5),
      due: toMicro(64.5),
      creditLeft: 0,
    });
  });

  it('to a cheaper plan charges nothing and keeps the rest as credit', () => {
    const dear = { ...current, price: toMicro(199) };
    const change = planChange({
      plan: planOf('basic'),
      interval: 'monthly',
      current: dear,
      credit: toMicro(1),
      now,
    });
    expect(change).toMatchObject({ due: 0, creditUsed: toMicro(29), creditLeft: toMicro(71.5) });
  });

  it('never loses a cent between credit, price and what is due', () => {
    for (let day = 1; day <= 30; day++) {
      const moment = at(`2027-04-${String(day).padStart(2, '0')}T13:00:00Z`);
      const change = planChange({
        plan: planOf('basic'),
        interval: 'monthly',
        current,
        credit: toMicro(3.33),
        now: moment,
      });
      expect(add(change.creditUsed, change.due)).toBe(change.price);
      expect(add(change.creditUsed, change.creditLeft)).toBe(add(toMicro(3.33), change.unused));
      expect(change.due).toBeGreaterThanOrEqual(0);
    }
  });
});
