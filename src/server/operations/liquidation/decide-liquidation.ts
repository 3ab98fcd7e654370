import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { findDecided } from '#records/deployments/liquidation-requests.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { staffOf } from '../act-as-staff.ts';
import { decideLiquidation as decide } from './liquidation-decision.ts';

export const decideLiquidation: Call<typeof operationsEndpoints.decideLiquidation> = async (
  { params: { id }, body, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const support = staffOf(request);
  const declinedBecause = body.decision === 'decline' ? body.reason : null;
  const done = await decide(records.database, { requestId: id, declinedBecause, by: support, at: now() });
  if (done.outcome === 'refused')
    return refuse('illegal_move', `It cannot be liquidated now: ${done.reason} Decline the request.`);
  const decided = await findDecided(records.database, id);
  if (decided === undefined) return notFound();
  const decision = decided.status === 'approved' ? 'approve' : 'decline';
  // The same decision by the same person, sent again after its answer was lost, returns the same answer.
  const isRepeated =
    decided.by === support.id && decision === body.decision && decided.reason === declinedBecause;
  if (done.outcome === 'not open' && !isRepeated) {
    const said = `${decided.email} ${decided.status} it at ${decided.at.toISOString()}.`;
    return refuse('already_decided', said);
  }
  return { id, decision, reason: decided.reason, decided_at: decided.at.toISOString() };
};
