import { describe, expect, it } from 'vitest';
import {
  showDate,
  showFraction,
  showMoney,
  showPercent,
  showPrice,
  showQuantity,
  showSpan,
  showWord,
} from './show-figure.ts';

describe('money', () => {
  it('groups thousands, shows cents and a true minus sign', () => {
    expect(showMoney(-12140.5)).toBe('\u2212$12,140.50');
  });
  it('leaves cents out where there are none', () => {
    expect(showMoney(5000, { cents: 'auto' })).toBe('$5,000');
    expect(showMoney(5000.25, { cents: 'auto' })).toBe('$5,000.25');
  });
  it('shows a gain with a plus, nothing with neither', () => {
    expect(showMoney(3, { sign: true })).toBe('+$3.00');
    expect(showMoney(0, { sign: true })).toBe('$0.00');
  });
  it('never writes minus zero', () => {
    expect(showMoney(-0.001)).toBe('$0.00');
    expect(showPercent(-0.001)).toBe('0.00%');
    expect(showPercent(-0.05)).toBe('\u22120.05%');
  });
  it('writes a dash for a missing value', () => {
    expect(showMoney(null)).toBe('–');
    expect(showPercent(Number.NaN)).toBe('–');
  });
});

it('shows fractions in percent with one decimal', () => {
  expect(showFraction(-0.1234)).toBe('\u221212.3%');
});

it('keeps the decimals a quantity has', () => {
  expect(showQuantity(0.0125)).toBe('0.0125');
  expect(showQuantity(1200)).toBe('1,200');
});

it('quotes small prices with five decimals', () => {
  expect(showPrice(1.08345)).toBe('1.08345');
  expect(showPrice(0.6095)).toBe('0.60950');
  expect(showPrice(5.25)).toBe('5.25');
  expect(showPrice(412.1)).toBe('412.10');
});

it('names days, spans and words', () => {
  expect(showDate('2024-05-03')).toBe('3 May 2024');
  expect(showSpan('2023-01-01', '2024-03-01')).toBe('14 months');
  expect(showSpan('2020-01-01', '2024-01-01')).toBe('4 years');
  expect(showWord('trend_following')).toBe('Trend following');
  expect(showWord('us')).toBe('US');
});
