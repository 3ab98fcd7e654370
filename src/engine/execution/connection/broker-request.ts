// What the API and `npm run verify` may ask of the trader that owns a broker session, and what it is answered. The closed list is the whole
// protocol: nobody but the owner opens a session.
import type { BrokerAccountId } from '#units/identifiers.ts';
import { SECOND_MS } from '#units/instant.ts';
import type { BrokerFailureCode } from './broker-failure.ts';

/**
 * accounts: which accounts the permission covers. cash: reads the account's cash into the records. lists: orders,
 * executions, positions and cash as the broker shows them, for a comparison with the records.
 */
export type BrokerRequestKind = 'accounts' | 'cash' | 'lists';

export type GrantedAccount = {
  readonly accountId: BrokerAccountId;
  readonly title: string;
  /** The account's base currency, ISO 4217. */
  readonly currency: string;
};

/** `accounts` is empty in an answer about anything else. */
export type BrokerRequestAnswer =
  | { readonly outcome: 'ok'; readonly accounts: readonly GrantedAccount[] }
  | { readonly outcome: 'failed'; readonly code: BrokerFailureCode };

/** How long a request waits for a trader: a list of accounts may be read only every few seconds. */
export const REQUEST_LIFE_MS: Readonly<Record<BrokerRequestKind, number>> = {
  accounts: 60 * SECOND_MS,
  cash: 15 * SECOND_MS,
  lists: 60 * SECOND_MS,
};
