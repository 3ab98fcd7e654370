import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { findIncidentProposal, insertIncidentProposal } from '#records/incidents/incident-proposals.ts';
import { findPresentSubject } from '#records/incidents/incident-subjects.ts';
import { untilRefusal } from '#rules/operations/acknowledge-until.ts';
import { toMicro } from '#units/money.ts';
import { parseWallInstant, wallInstantOf } from '#units/wall-instant.ts';
import type { Call } from '../../http/call.ts';
import { notFound, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../act-as-staff.ts';
import { refuseProposal } from './refuse-proposal.ts';
import { showIncidentProposal } from './show-incident-proposal.ts';

/** Bound to the state that they looked at; a proposal about an earlier state becomes void. */
export const proposeForIncident: Call<typeof operationsEndpoints.proposeForIncident> = async (
  { body, request, repetitionId },
  dependencies,
) => {
  const { database } = dependencies.records;
  const support = staffOf(request);
  const id = repetitionId ?? randomUUID();
  const before = await findIncidentProposal(database, id);
  if (before !== undefined) return showIncidentProposal(before, support);
  const { action, account: accountId, subject, seen, reason: because } = body;
  const until = body.action === 'acknowledge' ? parseWallInstant(body.until) : null;
  const tooLong = until === null ? null : untilRefusal(until, wallInstantOf(dependencies.now()));
  if (tooLong !== null) return refuseProposal(tooLong);
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const present = await findPresentSubject(trx, { action, accountId, subject });
    if (present === undefined) return notFound();
    if (present.seen !== seen) return refuseProposal('changed');
    if (present.refusal !== null) return refuseProposal(present.refusal);
    const written = await insertIncidentProposal(trx, {
      id,
      action,
      accountId,
      subject,
      seen,
      because,
      proposedBy: support.id,
      amount: body.action === 'state_commission' ? toMicro(body.commission) : null,
      until: body.action === 'acknowledge' ? new Date(body.until) : null,
    });
    return written === 'proposed' ? null : refuseProposal('open_already');
  });
  if (refused !== null) return refused;
  const proposed = await findIncidentProposal(database, id);
  return proposed === undefined ? notFound() : showIncidentProposal(proposed, support);
};
