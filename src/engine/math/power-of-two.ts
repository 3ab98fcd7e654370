// Powers of two and the split of a number into mantissa and exponent, by exact multiplications alone, so that
// every platform gives the same bits.

/** 2^exponent for a whole exponent from -1022 to 1023, exactly. */
function powerOfTwo(exponent: number): number {
  let result = 1;
  let base = exponent < 0 ? 0.5 : 2;
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= base;
    base *= base;
  }
  return result;
}

/** `value × 2^exponent`, rounded once when the result is subnormal. */
export function timesPowerOfTwo(value: number, exponent: number): number {
  if (exponent > 1023) return value * powerOfTwo(1023) * powerOfTwo(Math.min(exponent - 1023, 1023));
  if (exponent < -1022) return value * powerOfTwo(-1022) * powerOfTwo(Math.max(exponent + 1022, -1022));
  return value * powerOfTwo(exponent);
}

/** A positive finite value as mantissa × 2^exponent with 1 <= mantissa < 2. Exact. */
export function splitPowerOfTwo(value: number): { mantissa: number; exponent: number } {
  let mantissa = value;
  let exponent = 0;
  for (let i = 0; i < STEPS.length; i++) {
    const step = STEPS[i]!;
    const factor = FACTORS[i]!;
    if (mantissa >= factor) {
      mantissa /= factor;
      exponent += step;
    } else if (mantissa < 1 / factor) {
      mantissa *= factor;
      exponent -= step;
    }
  }
  while (mantissa >= 2) {
    mantissa /= 2;
    exponent += 1;
  }
  while (mantissa < 1) {
    mantissa *= 2;
    exponent -= 1;
  }
  return { mantissa, exponent };
}

const STEPS = [512, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1];
const FACTORS = STEPS.map(powerOfTwo);
