// The venue of practice orders. It opens accounts for nobody's money; orders then go through the broker port like any other.
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import type { BrokerAnswer, BrokerCredentials } from './broker.ts';

export type PracticeVenue = {
  /** A new account with this much practice money; its credentials open no session but the venue's. */
  openAccount(terms: { readonly cash: Micro }): Promise<BrokerAnswer<PracticeAccess>>;
};

export type PracticeAccess = {
  readonly accountId: BrokerAccountId;
  readonly credentials: BrokerCredentials<'practice'>;
};
