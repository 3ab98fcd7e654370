import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { movementOf } from '#engine/cash/cash-decision.ts';
import {
  type CashProposal,
  decideCashProposal,
  findCashProposal,
  insertCashMovement,
} from '#records/cash/cash-proposals.ts';
import {
  endCashBreak,
  explainInStatements,
  findCashBreak,
  lockAccountCash,
} from '#records/cash/cash-statements.ts';
import { endIncident } from '#records/incidents/incidents.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import type { Call, Staff } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../act-as-staff.ts';
import { showCashProposal } from './show-cash-proposal.ts';

/** Always two people: the proposer may only withdraw it. */
export const decideCash: Call<typeof operationsEndpoints.decideCash> = async (
  { params: { id }, body, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const support = staffOf(request);
  const declinedBecause = body.decision === 'decline' ? body.reason : null;
  const marketAt = (await findHeartbeat(records.database, 'trader'))?.marketAt ?? null;
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const asked = await findCashProposal(trx, id);
    if (asked === undefined) return notFound();
    const { accountId, breakId, amount, cause } = asked;
    await lockAccountCash(trx, accountId);
    const proposal = (await findCashProposal(trx, id)) ?? asked;
    const approves = declinedBecause === null;
    if (approves && proposal.proposedBy === support.id)
      return refuse('forbidden', 'A second member of support must approve your proposal.');
    if (isRepeated(proposal, support, declinedBecause)) return null;
    if (proposal.status !== 'open') return refuse('already_decided', `It is already ${proposal.status}.`);
    const by = support.id;
    if (!approves) {
      await decideCashProposal(trx, id, { status: 'declined', by, outcome: declinedBecause });
      return null;
    }
    const open = await findCashBreak(trx, accountId);
    const movement = movementOf(cause, amount);
    if (open?.id !== breakId || open.unexplained !== amount || movement === null) {
      await decideCashProposal(trx, id, { status: 'void', by: null, outcome: null });
      return refuse('already_decided', 'The amount has changed, so the proposal is void.');
    }
    await decideCashProposal(trx, id, { status: 'approved', by, outcome: null });
    const booked = { ...movement, reference: `decision:${id}`, at: marketAt ?? now() };
    await insertCashMovement(trx, accountId, booked);
    await explainInStatements(trx, accountId, movement);
    await endCashBreak(trx, accountId);
    const incident = { kind: 'cash_unexplained', subject: accountId } as const;
    await endIncident(trx, incident, { how: 'cleared', at: wallInstantOf(now()) });
    return null;
  });
  if (refused !== null) return refused;
  const decided = await findCashProposal(records.database, id);
  return decided === undefined ? notFound() : showCashProposal(decided, support);
};

/** The same decision by the same person, sent again after its answer was lost, returns the same answer. */
function isRepeated(
  { status, decidedBy, outcome }: CashProposal,
  { id }: Staff,
  declinedBecause: string | null,
): boolean {
  if (decidedBy !== id) return false;
  return declinedBecause === null
    ? status === 'approved'
    : status === 'declined' && outcome === declinedBecause;
}
