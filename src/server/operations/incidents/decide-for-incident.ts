import type { operationsEndpoints } from '#contract/operations/operations.ts';
import {
  decideIncidentProposal,
  findIncidentProposal,
  type IncidentProposal,
  lockIncidentProposal,
} from '#records/incidents/incident-proposals.ts';
import { findPresentSubject } from '#records/incidents/incident-subjects.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { untilRefusal } from '#rules/operations/acknowledge-until.ts';
import { parseWallInstant, type WallInstant, wallInstantOf } from '#units/wall-instant.ts';
import type { Call, Staff } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../act-as-staff.ts';
import { refuseProposal } from './refuse-proposal.ts';
import { showIncidentProposal } from './show-incident-proposal.ts';

/** Always two people: the proposer may only withdraw it. The trader carries it out, and looks again at what it finds then. */
export const decideForIncident: Call<typeof operationsEndpoints.decideForIncident> = async (
  { params: { id }, body, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const support = staffOf(request);
  const declinedBecause = body.decision === 'decline' ? body.reason : null;
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const proposal = await lockIncidentProposal(trx, id);
    if (proposal === undefined) return notFound();
    const { id: by } = support;
    if (declinedBecause === null && proposal.proposedBy === by)
      return refuse('forbidden', 'A second member of support must approve your proposal.');
    if (isRepeated(proposal, support, declinedBecause)) return null;
    if (proposal.status !== 'open') return refuse('already_decided', `It is already ${proposal.status}.`);
    if (declinedBecause !== null) {
      await decideIncidentProposal(trx, id, { status: 'declined', by, outcome: declinedBecause });
      return null;
    }
    return approve(trx, proposal, { by, now: wallInstantOf(now()) });
  });
  if (refused !== null) return refused;
  const decided = await findIncidentProposal(records.database, id);
  return decided === undefined ? notFound() : showIncidentProposal(decided, support);
};

async function approve(
  trx: Transaction,
  proposal: IncidentProposal,
  { by, now }: { readonly by: Staff['id']; readonly now: WallInstant },
): Promise<Refused | null> {
  const { id, seen, until } = proposal;
  const present = await findPresentSubject(trx, proposal);
  if (present?.seen !== seen) {
    await decideIncidentProposal(trx, id, { status: 'void', by: null, outcome: null });
    return refuseProposal(present === undefined ? 'gone' : 'changed');
  }
  if (present.refusal !== null) return refuseProposal(present.refusal);
  const tooLong = until === null ? null : untilRefusal(parseWallInstant(until), now);
  if (tooLong !== null) return refuseProposal(tooLong);
  await decideIncidentProposal(trx, id, { status: 'approved', by, outcome: null });
  return null;
}

/** The same decision by the same person, sent again after its answer was lost, returns the same answer. */
function isRepeated(
  { status, decidedBy, outcome }: IncidentProposal,
  { id }: Staff,
  declinedBecause: string | null,
): boolean {
  if (decidedBy !== id) return false;
  return declinedBecause === null
    ? status === 'approved' || status === 'over'
    : status === 'declined' && outcome === declinedBecause;
}
