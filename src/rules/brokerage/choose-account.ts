// Which of the accounts that a sign-in at the broker grants becomes the client's connection.
import type { GrantedAccount } from '#engine/execution/connection/broker-request.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';

export type AccountDecision =
  | { readonly type: 'connect'; readonly account: GrantedAccount }
  /** Several: the client chooses. */
  | { readonly type: 'choose' }
  /** A sentence for the client. */
  | { readonly type: 'fail'; readonly said: string };

/**
 * `inUse`: accounts that deployments of the client trade in. Such a one keeps its connection, which the sign-in renews:
 * another account can be chosen only while nothing is deployed.
 */
export function decideAccount(
  accounts: readonly GrantedAccount[],
  inUse: ReadonlySet<BrokerAccountId>,
): AccountDecision {
  const used = accounts.find(({ accountId }) => inUse.has(accountId));
  if (used) return { type: 'connect', account: used };
  const [first, second] = accounts;
  if (first === undefined) return { type: 'fail', said: 'The broker lists no account that we may trade.' };
  if (second === undefined) {
    const said = accountRefusal(first);
    return said === null ? { type: 'connect', account: first } : { type: 'fail', said };
  }
  if (accounts.some((account) => accountRefusal(account) === null)) return { type: 'choose' };
  const currencies = [...new Set(accounts.map(({ currency }) => currency))].join(', ');
  return {
    type: 'fail',
    said: `The base currencies of your accounts are ${currencies}; we support USD accounts only.`,
  };
}

/** Why we cannot trade an account, as a sentence; null when we can. */
export function accountRefusal({ currency }: Pick<GrantedAccount, 'currency'>): string | null {
  if (currency === 'USD') return null;
  return `The account’s base currency is ${currency}; we support USD accounts only.`;
}
