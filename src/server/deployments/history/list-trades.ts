import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { isOwnDeployment, readTrades } from '#records/deployments/deployment-views.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { showTrade } from './show-trade.ts';

export const listTrades: Call<typeof deploymentsEndpoints.listDeploymentTrades> = async (
  { params, query, caller },
  { records },
) => {
  const own = { id: params.id, userId: caller.userId };
  if (!(await isOwnDeployment(records.pool, own))) return notFound();
  return (await readTrades(records.pool, { ...own, limit: query.limit })).map(showTrade);
};
