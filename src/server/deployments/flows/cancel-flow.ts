import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { cancelFlow as cancel, findFlow } from '#records/deployments/deployment-flows.ts';
import { actAs } from '#records/operations/audit-log.ts';
import { lockOwnDeployment } from '#records/deployments/deployments.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { showFlow } from './show-flow.ts';

export const cancelFlow: Call<typeof deploymentsEndpoints.cancelFlow> = async (
  { params, caller },
  dependencies,
) => {
  const { records, marketData, now } = dependencies;
  const clock = await marketData.clock();
  const at = clock.ok ? clock.value.now : now();
  return records.database.transaction().execute(async (trx) => {
    await actAs(trx, `client:${caller.userId}`);
    const deployment = await lockOwnDeployment(trx, { id: params.id, userId: caller.userId });
    if (deployment === undefined) return notFound();
    const about = { id: params.flow, deploymentId: deployment.id };
    const flow = await findFlow(trx, about);
    if (flow === undefined) return notFound();
    if (flow.status === 'cancelled') return showFlow(flow);
    const cancelled = await cancel(trx, { ...about, at });
    if (!cancelled) return refuse('already_decided', DECIDED) as Refused;
    return showFlow((await findFlow(trx, about))!);
  });
};

const DECIDED = 'It is done or refused already: look at the list.';
