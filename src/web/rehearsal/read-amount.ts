import { checkInvestmentAmount } from '#rules/deployments/investment-amount.ts';
import { type Micro, toMicro } from '#units/money.ts';

export type Amount =
  | { readonly ok: true; readonly micro: Micro }
  | { readonly ok: false; readonly micro: null; readonly problem: string };

/** An amount as typed, in dollars, or what is wrong with it. */
export function readAmount(text: string, minimum: Micro): Amount {
  const dollars = text.trim() === '' ? Number.NaN : Number(text);
  const micro = Math.abs(dollars) <= DOLLARS_MAX ? toMicro(dollars) : Number.NaN;
  const problem = checkInvestmentAmount(micro, minimum);
  return problem === null
    ? { ok: true, micro: micro as Micro }
    : { ok: false, micro: null, problem: problem.message };
}

/** Beyond it dollars are no exact whole number of micro-units any more. */
const DOLLARS_MAX = 1_000_000_000;
