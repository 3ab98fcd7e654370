// Rounding to a whole number, ties to the even neighbour: the one rounding rule of the product (IEEE 754 roundTiesToEven).

/** Nearest integer; an exact tie goes to the even neighbour. `value` must be finite and its result a safe integer. */
export function roundHalfEven(value: number): number {
  // Added to 1.5 × 2^52, a double has no room for a fraction: the addition itself rounds to the nearest, ties to even.
  if (value < BY_ADDITION && value > -BY_ADDITION) return value + NO_FRACTION - NO_FRACTION;
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor + 0;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** 1.5 × 2^52. */
const NO_FRACTION = 6_755_399_441_055_744;
/** 2^51. */
const BY_ADDITION = 2_251_799_813_685_248;
