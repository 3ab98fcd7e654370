import { signByProblem } from '#rules/agreements/agreement-versions.ts';
import { untilRefusal } from '#rules/operations/acknowledge-until.ts';
import { endDayProblem } from '#rules/strategies/end-day.ts';
import type { ProposalAction } from '#rules/operations/proposal-action.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { wallDate, type WallInstant, wallInstantOf } from '#units/wall-instant.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import type { Database } from '#records/postgres/database.ts';
import { refuse, type Refused } from '../../http/refusal.ts';
import { refuseProposal } from './refuse-proposal.ts';

type Until = { readonly action: ProposalAction; readonly until: WallInstant | null; readonly now: Instant };

/** The day of an acknowledgement, of an agreement or of a strategy's end, when it is proposed and again when it is approved. */
export async function refuseUntilOf(
  database: Database,
  { action, until, now: realNow }: Until,
): Promise<Refused | null> {
  if (until === null) return null;
  const now = wallInstantOf(realNow);
  if (action === 'retire') {
    const market = (await findHeartbeat(database, 'trader'))?.marketAt ?? realNow;
    const problem = endDayProblem(wallDate(until), utcDate(market));
    return problem === null ? null : refuse('out_of_range', problem, { field: 'until' });
  }
  if (action === 'require_signature') {
    const problem = signByProblem(until, now);
    return problem === null ? null : refuse('out_of_range', problem, { field: 'until' });
  }
  const refusal = untilRefusal(until, now);
  return refusal === null ? null : refuseProposal(refusal);
}
