import { describe, expect, it } from 'vitest';
import { parseQuantity, quantity, QUANTITY_MAX, quantityText, toQuantity } from './quantity.ts';

describe('more units than a quantity can hold', () => {
  it('up to 90 million are exact', () => {
    expect(quantityText(toQuantity(90_000_000))).toBe('90000000');
    expect(quantityText(parseQuantity('90000000.00000001'))).toBe('90000000.00000001');
    expect(QUANTITY_MAX).toBe(toQuantity(90_000_000));
  });

  it.each([
    ['read from a number', () => toQuantity(91_000_000)],
    ['read from text', () => parseQuantity('-91000000')],
    ['computed', () => quantity(toQuantity(89_000_000) * 2)],
  ])('are refused in words when they are %s', (_how, make) => {
    expect(make).toThrow(/^more than 90 million units, which one quantity cannot hold: -?\d+$/);
  });

  it('are told apart from a fraction too small', () => {
    expect(() => quantity(0.5)).toThrow('not a whole number of 1e-8 units: 0.5');
  });
});
