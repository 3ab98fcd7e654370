import { expect, it } from 'vitest';
import { calendarOf } from './exchange-calendars.ts';

it('an exchange has the calendar of its country’s rules, under a vendor’s name and under its code', () => {
  expect(['NASDAQ', 'XNAS', 'ARCA', 'BATS'].map(calendarOf)).toEqual(Array(4).fill('us-equity'));
  expect(['XETR', 'XPAR', 'XAMS', 'XLON', 'xswx'].map(calendarOf)).toEqual([
    'xetra',
    'euronext-paris',
    'euronext-amsterdam',
    'london',
    'six',
  ]);
});

it('an exchange that is not known has none', () => {
  expect(calendarOf('XTKS')).toBe(null);
});
