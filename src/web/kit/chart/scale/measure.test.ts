import { expect, test } from 'vitest';
import { showBetween, showDays } from './measure.ts';

test('between two changes since one beginning lies their ratio, not their difference', () => {
  expect(showBetween({ from: 100, to: 120 }, 'percent')).toBe('+10.00%');
  expect(showBetween({ from: 50, to: 0 }, 'percent')).toBe('\u221233.33%');
});

test('between two amounts lie dollars and percent', () => {
  expect(showBetween({ from: 8_000, to: 10_000 }, 'money')).toBe('+$2,000 (+25.00%)');
  expect(showBetween({ from: 0, to: 10 }, 'money')).toBe('+$10');
});

test('a day without a value measures nothing', () => {
  expect(showBetween({ from: null, to: 10 }, 'money')).toBe('–');
});

test('days are counted by the calendar', () => {
  expect(showDays('2026-02-27', '2026-03-02')).toBe('3 days');
});
