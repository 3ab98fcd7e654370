// How an account is named outside of its broker's adapter: two vendors may give the same number.
import type { BrokerAccountId } from './identifiers.ts';

export function accountOfVendor(vendor: string, number: string): BrokerAccountId {
  return `${vendor}${BETWEEN}${number}` as BrokerAccountId;
}

/** As its owner knows it. */
export function accountNumber(account: BrokerAccountId): string {
  return account.slice(account.indexOf(BETWEEN) + 1);
}

const BETWEEN = ':';
