import { describe, expect, it } from 'vitest';
import { type Instant, utcDate } from '#units/instant.ts';
import { civilDate, dayNumber } from '#units/civil-date.ts';
import { dayOfDate, monthsBefore } from './trading-day.ts';

describe('days', () => {
  it('count like the calendar', () => {
    for (let days = -1_000; days < 40_000; days += 13) {
      const date = new Date(days * 86_400_000);
      const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
      expect(civilDate(days)).toEqual(civil);
      expect(dayNumber(civil)).toBe(days);
      expect(dayOfDate(utcDate((days * 86_400_000) as Instant))).toBe(days);
    }
  });

  it('go back by months to the last day of a shorter one', () => {
    const day = (year: number, month: number, date: number) => dayNumber({ year, month, day: date });
    expect(monthsBefore(day(2024, 3, 31), 1)).toBe(day(2024, 2, 29));
    expect(monthsBefore(day(2024, 1, 15), 12)).toBe(day(2023, 1, 15));
    expect(monthsBefore(day(2023, 5, 31), 3)).toBe(day(2023, 2, 28));
  });
});
