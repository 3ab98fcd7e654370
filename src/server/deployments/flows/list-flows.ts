import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { availableCash } from '#engine/execution/connection/account-cash.ts';
import { findFreshCash } from '#records/brokerage/account-cash.ts';
import { findOwnConnection } from '#records/brokerage/broker-connections.ts';
import { listFlows as list } from '#records/deployments/deployment-flows.ts';
import { findFlowSituation, type OwnFlowSituation } from '#records/deployments/flow-situation.ts';
import { flowRefusal, LEAST_FLOW, withdrawableOf } from '#rules/deployments/flow-amount.ts';
import type { UserId } from '#units/identifiers.ts';
import { fromMicro, type Micro } from '#units/money.ts';
import type { Call } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { notFound } from '../../http/refusal.ts';
import { awaitFreshCash } from '../gates/await-fresh-cash.ts';
import { showFlow } from './show-flow.ts';

export const listFlows: Call<typeof deploymentsEndpoints.listFlows> = async (
  { params, caller: { userId } },
  dependencies,
) => {
  const { database } = dependencies.records;
  const situation = await findFlowSituation(database, { id: params.id, userId });
  if (situation === undefined) return notFound();
  const rows = await list(database, situation.id);
  const free = await freeCash(situation, userId, dependencies);
  return {
    results: rows.map(showFlow),
    terms: {
      least: fromMicro(LEAST_FLOW),
      minimum: fromMicro(situation.minimum),
      account_free: free === null ? null : fromMicro(free),
      free_now: fromMicro(situation.freeNow),
      withdrawable: fromMicro(withdrawableOf(situation)),
      cannot_add: flowRefusal('deposit', situation),
      cannot_withdraw: flowRefusal('withdrawal', situation),
    },
  };
};

async function freeCash(
  { mode, connectionId }: OwnFlowSituation,
  userId: UserId,
  dependencies: Dependencies,
): Promise<Micro | null> {
  if (mode === 'practice') return null;
  const { database } = dependencies.records;
  const connection = await findOwnConnection(database, { id: connectionId, userId });
  if (connection === undefined || connection.accountId === null) return null;
  await awaitFreshCash(connection, dependencies);
  const cash = await findFreshCash(database, connection.accountId);
  return cash && availableCash(cash);
}
