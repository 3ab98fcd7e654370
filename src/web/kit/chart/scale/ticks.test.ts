import { describe, expect, it } from 'vitest';
import { growthTicks, timeTicks, valueTicks } from './ticks.ts';

describe('values at the hairlines', () => {
  it('are round and inside the range', () => {
    expect(valueTicks(-7, 101, 6)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(valueTicks(0.1, 0.42, 3)).toEqual([0.2, 0.4]);
  });
  it('has one tick for a flat line', () => expect(valueTicks(5, 5, 4)).toEqual([5]));
  it('are round factors on a ratio scale', () => {
    expect(growthTicks(0.8, 12, 6)).toEqual([1, 2, 5, 10]);
  });
});

describe('days below a chart', () => {
  const texts = (from: string, to: string, count: number) =>
    timeTicks(Date.parse(from), Date.parse(to), count).map((tick) => tick.text);
  it('are years over a long record', () => {
    expect(texts('2013-01-02', '2026-01-02', 7)).toEqual([
      '2014',
      '2016',
      '2018',
      '2020',
      '2022',
      '2024',
      '2026',
    ]);
  });
  it('are days over a week', () => {
    expect(texts('2026-01-01', '2026-01-04', 7)).toEqual(['1 Jan', '2 Jan', '3 Jan', '4 Jan']);
  });
  it('are more than one on a narrow chart', () => {
    expect(texts('2026-01-05', '2026-04-20', 3)).toEqual(['Feb', 'Mar', 'Apr']);
    expect(texts('2026-01-05', '2026-02-18', 3)).toEqual(['5 Jan', '19 Jan', '2 Feb', '16 Feb']);
  });
  it('name the year where it begins', () => {
    expect(texts('2025-11-15', '2026-02-15', 6)).toEqual(['Dec', '2026', 'Feb']);
  });
});
