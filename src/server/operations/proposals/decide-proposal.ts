import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import {
  decideProposal as decide,
  findProposal,
  lockProposal,
  type Proposal,
} from '#records/operations/proposals.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { asksForWord, isIncidentAction, roleOfAction } from '#rules/operations/proposal-action.ts';
import { parseWallInstant } from '#units/wall-instant.ts';
import type { Call, Staff } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import { carryOut } from './carry-out.ts';
import { findSubject } from './find-subject.ts';
import { refuseProposal } from './refuse-proposal.ts';
import { refuseUntilOf } from './refuse-until.ts';
import { showProposal } from './show-proposal.ts';

/**
 * Always two people: the proposer may only withdraw it, and who wrote what is proposed never approves it. What is about an incident, the trader carries out, and looks again at
 * what it finds then; everything else counts with the approval.
 */
export const decideProposal: Call<typeof operationsEndpoints.decideProposal> = async (
  { params: { id }, body, request },
  dependencies,
) => {
  const { database } = dependencies.records;
  const staff = staffOf(request);
  const declinedBecause = body.decision === 'decline' ? body.reason : null;
  const word = body.decision === 'approve' ? (body.reason ?? null) : null;
  const refused = await transactAs(staff, dependencies, async (trx): Promise<Refused | null> => {
    const asked = await findProposal(trx, id);
    if (asked === undefined || roleOfAction(asked.action) !== staff.role) return notFound();
    if (declinedBecause === null && asksForWord(asked.action) !== (word !== null))
      return refuseProposal(word === null ? 'word_missing' : 'word_needless');
    const subject = await findSubject(trx, asked);
    const proposal = (await lockProposal(trx, id)) ?? asked;
    if (declinedBecause === null && proposal.proposedBy === staff.id)
      return refuse('forbidden', 'A second person must approve your proposal.');
    if (declinedBecause === null && subject?.author === staff.id) return refuseProposal('own_work');
    if (isRepeated(proposal, staff, { declinedBecause, word })) return null;
    if (proposal.status !== 'open') return refuse('already_decided', `It is already ${proposal.status}.`);
    if (declinedBecause !== null) {
      await decide(trx, id, { status: 'declined', by: staff.id, outcome: declinedBecause });
      return null;
    }
    if (subject?.seen !== proposal.seen) {
      await decide(trx, id, { status: 'void', by: null, outcome: null });
      return refuseProposal(subject === undefined ? 'gone' : 'changed');
    }
    return subject.refusal ?? approve(trx, { proposal, staff, word }, dependencies);
  });
  if (refused !== null) return refused;
  const decided = await findProposal(database, id);
  return decided === undefined ? notFound() : showProposal(decided, staff);
};

type Approved = {
  readonly proposal: Proposal;
  readonly staff: Staff;
  /** What the second person looked at, where they are asked. */
  readonly word: string | null;
};

async function approve(
  trx: Transaction,
  { proposal, staff, word }: Approved,
  { now }: Dependencies,
): Promise<Refused | null> {
  const { id, action, until } = proposal;
  const at = now();
  const day = until === null ? null : parseWallInstant(until);
  const untimely = await refuseUntilOf(trx, { action, until: day, now: at });
  if (untimely !== null) return untimely;
  if (isIncidentAction(action)) {
    await decide(trx, id, { status: 'approved', by: staff.id, outcome: null });
    return null;
  }
  const marketAt = (await findHeartbeat(trx, 'trader'))?.marketAt ?? null;
  await decide(trx, id, { status: 'over', by: staff.id, outcome: word });
  await carryOut(trx, { ...proposal, action }, { by: staff, now: at, marketAt });
  return null;
}

/** The same decision by the same person, sent again after its answer was lost, returns the same answer. */
function isRepeated(
  { status, decidedBy, outcome }: Proposal,
  { id }: Staff,
  { declinedBecause, word }: { readonly declinedBecause: string | null; readonly word: string | null },
): boolean {
  if (decidedBy !== id) return false;
  return declinedBecause === null
    ? status === 'approved' || (status === 'over' && (word === null || outcome === word))
    : status === 'declined' && outcome === declinedBecause;
}
