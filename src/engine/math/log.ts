// The natural logarithm with + - × ÷ alone: the same bits in every JavaScript engine, within 1 unit in the last
// place of the truth. Method: x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2), s = f / (2 + f), and the
// polynomial in s² that FreeBSD msun e_log.c documents.
import { LN2_HIGH, LN2_LOW } from './exp.ts';
import { splitPowerOfTwo } from './power-of-two.ts';

/** The natural logarithm of x: NaN below zero, -Infinity at zero. */
export function log(x: number): number {
  if (!(x >= 0)) return Number.NaN;
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (x === Number.POSITIVE_INFINITY) return x;
  let { mantissa, exponent } = splitPowerOfTwo(x);
  if (mantissa > SQRT2) {
    mantissa /= 2;
    exponent += 1;
  }
  const f = mantissa - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const odd = w * (L2 + w * (L4 + w * L6));
  const even = z * (L1 + w * (L3 + w * (L5 + w * L7)));
  const half = 0.5 * f * f;
  return exponent * LN2_HIGH - (half - (s * (half + odd + even) + exponent * LN2_LOW) - f);
}

const SQRT2 = 1.4142135623730951;
const L1 = 6.66666666666673513e-1;
const L2 = 3.999999999940941908e-1;
const L3 = 2.857142874366239149e-1;
const L4 = 2.222219843214978396e-1;
const L5 = 1.818357216161805012e-1;
const L6 = 1.531383769920937332e-1;
const L7 = 1.479819860511658591e-1;
