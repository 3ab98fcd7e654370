import { insertProposal, type NewProposal } from '#records/operations/proposals.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { notFound, type Refused } from '../../http/refusal.ts';
import { findSubject } from './find-subject.ts';
import { refuseProposal } from './refuse-proposal.ts';

export type Wanted = Omit<NewProposal, 'seen' | 'amount'> & {
  /** The state that they looked at; null: the present one. */
  readonly seen: string | null;
  /** Of state_commission; that of explain_cash is all that is unexplained. */
  readonly amount: NewProposal['amount'];
};

/** What no action says of itself. */
export const UNSAID = {
  accountId: null,
  seen: null,
  amount: null,
  cause: null,
  until: null,
  brokerOrderId: null,
} as const;

/** Bound to the state that it is about: approving it in another one is refused. */
export async function makeProposal(trx: Transaction, wanted: Wanted): Promise<Refused | null> {
  const present = await findSubject(trx, wanted);
  if (present === undefined) return notFound();
  if (wanted.seen !== null && present.seen !== wanted.seen) return refuseProposal('changed');
  if (present.refusal !== null) return present.refusal;
  const { accountId, seen, amount } = present;
  const written = await insertProposal(trx, { ...wanted, accountId, seen, amount: amount ?? wanted.amount });
  return written === 'proposed' ? null : refuseProposal('open_already');
}
