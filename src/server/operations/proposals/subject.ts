import type { UserId } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import type { Refused } from '../../http/refusal.ts';

/** What a proposal is about, as it is now. */
export type Subject = {
  readonly accountId: string | null;
  readonly seen: string;
  /** Of explain_cash: all that is unexplained. */
  readonly amount: Micro | null;
  /** Who wrote it, where a person did: the approval is a colleague's. */
  readonly author: UserId | null;
  /** Why it cannot be done now. */
  readonly refusal: Refused | null;
};

/** One that is about no account and no amount. */
export const found = (seen: string, refusal: Refused | null, author: UserId | null = null): Subject => ({
  accountId: null,
  seen,
  amount: null,
  author,
  refusal,
});
