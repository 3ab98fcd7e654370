// Where practice accounts are kept: all that the practice venue may reach besides the market feed.
import type { PracticeAccount, PracticeChange, PracticeOrder } from '#engine/practice/practice-account.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';

export type PracticeStore = {
  /** 'taken': an account of this number is open already. */
  open(account: {
    readonly accountId: BrokerAccountId;
    readonly tokenHash: Buffer;
    readonly cash: Micro;
    readonly at: Instant;
  }): Promise<'opened' | 'taken'>;
  /** Null when no account has the token. */
  findByToken(tokenHash: Buffer): Promise<BrokerAccountId | null>;
  read(accountId: BrokerAccountId): Promise<PracticeAccount>;
  /** Locks the account, decides on what it is then, and saves the change whole. `known`: the order of the id, if any. */
  change<Result>(
    accountId: BrokerAccountId,
    orderId: string | null,
    decide: (account: PracticeAccount, known: PracticeOrder | null) => Decided<Result>,
  ): Promise<Result>;
  /** Rows of practice_orders that work or changed since, newest first. */
  listOrders(accountId: BrokerAccountId, since: Instant): Promise<unknown>;
  findOrder(accountId: BrokerAccountId, orderId: string): Promise<unknown>;
  /** Rows of practice_executions at or after, oldest first. */
  listExecutions(accountId: BrokerAccountId, since: Instant): Promise<unknown>;
};

export type Decided<Result> = { readonly change: PracticeChange; readonly result: Result };
