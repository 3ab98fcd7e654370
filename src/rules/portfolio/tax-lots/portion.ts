import { type Micro, micro } from '#units/money.ts';

/** `amount × part ÷ whole`, computed exactly and rounded half-even once. `whole` is positive. */
export function portion(amount: Micro, part: number, whole: number): Micro {
  if (part === whole) return amount;
  const product = BigInt(amount) * BigInt(part);
  const by = BigInt(whole);
  const quotient = product / by;
  const rest = product % by;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const isUp = twice > by || (twice === by && quotient % 2n !== 0n);
  return micro(Number(isUp ? quotient + (product < 0n ? -1n : 1n) : quotient));
}
