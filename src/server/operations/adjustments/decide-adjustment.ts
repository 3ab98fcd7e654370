import type { operationsEndpoints } from '#contract/operations/operations.ts';
import {
  decideProposal,
  type DecidedProposal,
  lockProposal,
  voidProposal,
} from '#records/adjustments/adjustments.ts';
import { voidReasonText } from '#rules/reasons/void-reason.ts';
import { listProposals } from '#records/adjustments/adjustment-cases.ts';
import type { Call, Staff } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import { showProposal } from './show-proposal.ts';

/** Always two people: the proposer may only withdraw it. The trader books what they agreed on. */
export const decideAdjustment: Call<typeof operationsEndpoints.decideAdjustment> = async (
  { params: { id }, body, request },
  dependencies,
) => {
  const { database } = dependencies.records;
  const support = staffOf(request);
  const declinedBecause = body.decision === 'decline' ? body.reason : null;
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const proposal = await lockProposal(trx, id);
    if (proposal === undefined) return notFound();
    const approves = declinedBecause === null;
    if (approves && proposal.proposedBy === support.id)
      return refuse('forbidden', 'A second member of support must approve your proposal.');
    if (isRepeated(proposal, support, declinedBecause)) return null;
    const isDue = proposal.status === 'open' || (!approves && proposal.status === 'approved');
    if (!isDue) return refuse('already_decided', `It is already ${STATUS_WORDS[proposal.status]}.`);
    if (approves && !proposal.isCurrent) {
      await voidProposal(trx, proposal.id, { code: 'changed' });
      return refuse('already_decided', `The proposal is void: ${voidReasonText({ code: 'changed' })}.`);
    }
    await decideProposal(trx, proposal.id, { by: support.id, declinedBecause });
    return null;
  });
  if (refused !== null) return refused;
  const [decided] = await listProposals(database, { id });
  return decided === undefined ? notFound() : showProposal(decided, support);
};

/** The same decision by the same person, sent again after its answer was lost, returns the same answer. */
function isRepeated(
  { status, decidedBy, outcome }: DecidedProposal,
  { id }: Staff,
  declinedBecause: string | null,
): boolean {
  if (decidedBy !== id) return false;
  return declinedBecause === null
    ? status === 'approved' || status === 'applied'
    : status === 'declined' && outcome === declinedBecause;
}

const STATUS_WORDS: Readonly<Record<DecidedProposal['status'], string>> = {
  open: 'not decided',
  approved: 'approved',
  declined: 'declined',
  void: 'void',
  applied: 'booked',
};
