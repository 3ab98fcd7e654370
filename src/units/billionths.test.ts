import { expect, it } from 'vitest';
import { billionthsText, coveringQuantity, parseBillionths } from './billionths.ts';

it('reads decimals exactly, and counts what lies beyond the ninth as one more', () => {
  expect(parseBillionths('-0.000195')).toBe(-195_000);
  expect(parseBillionths('0.0000000001')).toBe(1);
  expect(parseBillionths('12.3456789012')).toBe(12_345_678_902);
  expect(parseBillionths('3')).toBe(3_000_000_000);
  for (const text of ['', '1e-9', 'x', '9999999999']) expect(() => parseBillionths(text)).toThrow(RangeError);
});

it('writes what it reads', () => {
  for (const text of ['0.000195', '-0.000000001', '12', '0'])
    expect(billionthsText(parseBillionths(text))).toBe(text);
});

it('is covered by the next quantity', () => {
  expect(coveringQuantity(parseBillionths('0.000000011'))).toBe(2);
  expect(coveringQuantity(parseBillionths('0.00000001'))).toBe(1);
  expect(coveringQuantity(parseBillionths('-0.000000019'))).toBe(-1);
});
