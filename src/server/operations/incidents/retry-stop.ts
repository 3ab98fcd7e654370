import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { findPresentSubject, insertStopRetry } from '#records/incidents/incident-subjects.ts';
import type { Call } from '../../http/call.ts';
import { notFound, type Refused } from '../../http/refusal.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import { refuseProposal } from '../proposals/refuse-proposal.ts';

/** One person: a stop can only protect. Bound to the refused stop, so that each refusal allows one try more. */
export const retryStop: Call<typeof operationsEndpoints.retryStop> = async (
  { body, request },
  dependencies,
) => {
  const support = staffOf(request);
  const { account: accountId, subject, seen, reason: because } = body;
  const refused = await transactAs(support, dependencies, async (trx): Promise<Refused | null> => {
    const present = await findPresentSubject(trx, { action: 'acknowledge', accountId, subject });
    if (present === undefined) return notFound();
    if (present.seen !== seen) return refuseProposal('changed');
    if (present.refusedStop === null) return refuseProposal('tried_soon');
    await insertStopRetry(trx, { stop: present.refusedStop, because, by: support.id });
    return null;
  });
  if (refused !== null) return refused;
};
