// e^x with + - × ÷ alone: the same bits in every JavaScript engine, within 1 unit in the last place of the truth.
// Method: x = k ln 2 + r with |r| <= ln 2 / 2, then a polynomial for e^r (the Remez coefficients that
// FreeBSD msun e_exp.c documents), then an exact scaling by 2^k.
import { timesPowerOfTwo } from './power-of-two.ts';

/** e to the power of x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019411) return 0;
  const k = Math.floor(x / LN2 + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const t = r * r;
  const c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
  if (k === 0) return 1 - ((r * c) / (c - 2) - r);
  return timesPowerOfTwo(1 - (low - (r * c) / (2 - c) - high), k);
}

const LN2 = 0.6931471805599453;
/** ln 2 in two parts: the first has 32 trailing zero bits, so its products with a small whole number are exact. */
export const LN2_HIGH = 6.9314718036912381649e-1;
export const LN2_LOW = 1.90821492927058770002e-10;
const P1 = 1.66666666666666019037e-1;
const P2 = -2.77777777770155933842e-3;
const P3 = 6.61375632143793436117e-5;
const P4 = -1.6533902205465251539e-6;
const P5 = 4.13813679705723846039e-8;
