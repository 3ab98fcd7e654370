// x^y for x >= 0 from the engine's own exp and log, the same bits everywhere. Relative error is about
// |y log x| × 1e-16: good for annualising and compounding, which is what it is for.
import { exp } from './exp.ts';
import { log } from './log.ts';

/** base^exponent. A whole exponent up to 64 is multiplied out; a negative base is allowed only with one. */
export function power(base: number, exponent: number): number {
  if (Number.isInteger(exponent) && Math.abs(exponent) <= 64) return wholePower(base, exponent);
  if (base === 0) return exponent > 0 ? 0 : Number.POSITIVE_INFINITY;
  return exp(exponent * log(base));
}

function wholePower(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square;
    square *= square;
  }
  return exponent < 0 ? 1 / result : result;
}
