import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { movementOf } from '#engine/cash/cash-decision.ts';
import {
  accountOfBreak,
  decideCashProposal,
  findCashProposal,
  insertCashProposal,
  listOpenCashProposals,
} from '#records/cash/cash-proposals.ts';
import { findCashBreak, lockAccountCash } from '#records/cash/cash-statements.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../act-as-staff.ts';
import { showCashProposal } from './show-cash-proposal.ts';

/** The amount is the whole of what is unexplained at this moment. */
export const proposeCash: Call<typeof operationsEndpoints.proposeCash> = async (
  { body: { difference, cause, reason: because }, request, repetitionId },
  dependencies,
) => {
  const { database } = dependencies.records;
  const support = staffOf(request);
  const id = repetitionId ?? randomUUID();
  const before = await findCashProposal(database, id);
  if (before !== undefined) return showCashProposal(before, support);
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const accountId = await accountOfBreak(trx, difference);
    if (accountId === undefined) return notFound();
    await lockAccountCash(trx, accountId);
    const open = await findCashBreak(trx, accountId);
    if (open?.id !== difference) return refuse('already_decided', 'There is nothing left to resolve.');
    const amount = open.unexplained;
    if (movementOf(cause, amount) === null) {
      const way = amount > 0 ? 'brings money in' : 'takes money out';
      return refuse('invalid_field', `Choose something that ${way}.`, { field: 'cause' });
    }
    for (const outdated of await listOpenCashProposals(trx, [difference]))
      if (outdated.amount !== amount)
        await decideCashProposal(trx, outdated.id, { status: 'void', by: null, outcome: null });
    const proposal = { id, breakId: difference, accountId, amount, cause, because, proposedBy: support.id };
    return (await insertCashProposal(trx, proposal)) === 'proposed'
      ? null
      : refuse('already_exists', 'There is already an open proposal for this. Decide that one first.');
  });
  if (refused !== null) return refused;
  const proposed = await findCashProposal(database, id);
  return proposed === undefined ? notFound() : showCashProposal(proposed, support);
};
