import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { lockOwnDeployment } from '#records/deployments/deployments.ts';
import { withdrawRequest } from '#records/deployments/liquidation-requests.ts';
import { voidProposals } from '#records/operations/proposals.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse } from '../http/refusal.ts';
import { showOwnDeployment } from './show-own-deployment.ts';

/** Until support has decided: a proposal of one of them counts for nothing then. Repeating it changes nothing. */
export const withdrawLiquidation: Call<typeof deploymentsEndpoints.withdrawLiquidation> = async (
  { params, caller },
  dependencies,
) => {
  const own = { id: params.id, userId: caller.userId };
  const refused = await dependencies.records.database.transaction().execute(async (trx) => {
    const deployment = await lockOwnDeployment(trx, own);
    if (deployment === undefined) return notFound();
    if (deployment.requestedStatus === 'liquidated' || deployment.status === 'liquidating')
      return refuse('already_decided', 'Support has approved your request: everything is being sold.');
    const withdrawn = await withdrawRequest(trx, {
      deploymentId: deployment.id,
      by: caller.userId,
      at: dependencies.now(),
    });
    if (withdrawn !== undefined) await voidProposals(trx, { action: 'liquidate', subject: withdrawn });
    return null;
  });
  return refused ?? showOwnDeployment(own, dependencies);
};
