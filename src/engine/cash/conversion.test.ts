import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, instant } from '#units/instant.ts';
import { micro, scale, toMicro, ZERO_MICRO } from '#units/money.ts';
import { conversionOf, type ForeignResult, ratesOpenSince } from './conversion.ts';

const MONDAY = instant(5 * DAY_MS);
const RESULT: ForeignResult = {
  amount: toMicro(-100),
  rate: 0.9,
  at: MONDAY,
  traded: { low: 0.9, high: 0.9 },
  isCovered: true,
};

const rate = fc.double({ min: 0.5, max: 2, noNaN: true });
const result = fc.record({
  amount: fc.integer({ min: -1e10, max: 1e10 }).map(micro),
  rate,
  others: fc.array(rate, { minLength: 1, maxLength: 5 }),
});

it('covers whatever rates of the period the broker converts at', () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 6 }), fc.nat(), (drawn, pick) => {
      let difference = 0;
      const results = drawn.map(({ amount, rate: booked, others }): ForeignResult => {
        difference += scale(amount, booked / others[pick % others.length]!) - amount;
        const traded = { low: Math.min(...others), high: Math.max(...others) };
        return { ...RESULT, amount, rate: booked, traded };
      });
      // Each result is rounded once here and once there.
      expect(Math.abs(difference)).toBeLessThanOrEqual(conversionOf(results).max + results.length);
    }),
  );
});

it('allows nothing beyond the rates: no move explains no difference', () => {
  expect(conversionOf([RESULT])).toEqual({ max: ZERO_MICRO, open: ZERO_MICRO, openSince: null });
  const fell = { ...RESULT, traded: { low: 0.8, high: 0.9 } };
  expect(conversionOf([fell]).max).toBe(toMicro(12.5));
  expect(conversionOf([fell, { ...RESULT, traded: { low: 0.9, high: 1 } }]).max).toBe(toMicro(22.5));
  fc.assert(
    fc.property(fc.array(rate, { minLength: 1, maxLength: 5 }), (others) => {
      const [low, high] = [Math.min(...others), Math.max(...others)];
      const { max } = conversionOf([{ ...RESULT, rate: others[0]!, traded: { low, high } }]);
      expect(max).toBeLessThanOrEqual(scale(toMicro(100), high / low - 1));
    }),
  );
});

it('waits for rates of a session under way, but not for more than they convert', () => {
  const open = { ...RESULT, isCovered: false };
  const later = instant(MONDAY + 1);
  const conversion = conversionOf([{ ...open, at: later }, open, RESULT, { ...open, traded: null }]);
  expect(conversion).toEqual({ max: ZERO_MICRO, open: toMicro(300), openSince: later });
  expect(ratesOpenSince(conversion, toMicro(-300))).toBe(later);
  expect(ratesOpenSince(conversion, toMicro(300.01))).toBeNull();
  expect(ratesOpenSince(conversionOf([RESULT]), ZERO_MICRO)).toBeNull();
});
