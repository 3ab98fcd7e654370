// What two people of support can say about cash that nothing explains.
import type { Micro } from '#units/money.ts';
import type { CashItem, CashLine } from './cash-statement.ts';

export const CASH_CAUSES = ['deposit', 'withdrawal', 'dividend', 'interest', 'fee', 'apart'] as const;
/** apart: looked at, and attributed to nothing. All of them are the owner's: no deployment's books change. */
export type CashCause = (typeof CASH_CAUSES)[number];

/** Null where the cause cannot have moved cash in this direction. */
export function movementOf(cause: CashCause, amount: Micro): CashItem | null {
  const { line, sign } = CAUSES[cause];
  return amount === 0 || (sign !== 0 && Math.sign(amount) !== sign) ? null : { line, amount };
}

const CAUSES: Readonly<Record<CashCause, { readonly line: CashLine; readonly sign: -1 | 0 | 1 }>> = {
  deposit: { line: 'transfers', sign: 1 },
  withdrawal: { line: 'transfers', sign: -1 },
  // On shares that the owner is short of, it is paid.
  dividend: { line: 'dividends', sign: 0 },
  interest: { line: 'interest', sign: 0 },
  fee: { line: 'fees', sign: -1 },
  apart: { line: 'apart', sign: 0 },
};
