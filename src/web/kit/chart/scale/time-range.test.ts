import { describe, expect, it } from 'vitest';
import { rangeStart } from './time-range.ts';

const labels = ['2024-01-02', '2024-06-03', '2024-12-26', '2024-12-27', '2024-12-30', '2024-12-31'];

describe('a chart range', () => {
  it('shows everything for ALL', () => expect(rangeStart(labels, 'ALL')).toBe(0));
  it('counts a day from the close before it', () => expect(rangeStart(labels, '1D')).toBe(4));
  it('counts a week from the last close before it', () => expect(rangeStart(labels, '1W')).toBe(1));
  it('begins at the first point when the history is shorter', () => expect(rangeStart(labels, '1Y')).toBe(0));
  it('counts a year to date from the last close of the year before', () => {
    expect(rangeStart(['2023-12-28', '2023-12-29', '2024-01-02', '2024-01-03'], 'YTD')).toBe(1);
  });
  it('accepts an empty series', () => expect(rangeStart([], '1M')).toBe(0));
});
