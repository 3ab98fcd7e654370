import { signByProblem } from '#rules/agreements/agreement-versions.ts';
import { untilRefusal } from '#rules/operations/acknowledge-until.ts';
import type { ProposalAction } from '#rules/operations/proposal-action.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import { refuse, type Refused } from '../../http/refusal.ts';
import { refuseProposal } from './refuse-proposal.ts';

/** The day of an acknowledgement or of an agreement, when it is proposed and again when it is approved. */
export function refuseUntil(
  action: ProposalAction,
  until: WallInstant | null,
  now: WallInstant,
): Refused | null {
  if (until === null) return null;
  if (action === 'require_signature') {
    const problem = signByProblem(until, now);
    return problem === null ? null : refuse('out_of_range', problem, { field: 'until' });
  }
  const refusal = untilRefusal(until, now);
  return refusal === null ? null : refuseProposal(refusal);
}
