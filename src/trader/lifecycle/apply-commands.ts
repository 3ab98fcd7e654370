// What people asked for is carried out: started, paused, resumed, stopped. The engine says the next step, here it is saved;
// until then the screen shows both states.
import { advance, asksToStart, type LifecycleSnapshot } from '#engine/lifecycle/advance.ts';
import type { GateReason } from '#engine/lifecycle/status-reason.ts';
import { listCommandedDeployments } from '#records/deployments/deployment-queues.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { shutTradingGate } from '#rules/deployments/gates.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { type DeploymentSnapshot, loadSnapshots } from '../rebalance/deployment-snapshot.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import type { TradingContext } from '../trading-context.ts';
import { saveLifecycle } from './save-lifecycle.ts';

export async function applyCommands(context: TradingContext): Promise<void> {
  await runInBatches(context, {
    task: 'life-cycle',
    ids: await listCommandedDeployments(context.database, context.lease.shards),
    size: 1,
    work: async (trx, ids) => {
      for (const snapshot of await loadSnapshots(trx, ids, context, { lock: 'for update' })) {
        const transition = advance(lifecycleOf(snapshot), await shutGateOf(trx, snapshot));
        if (transition !== null) await saveLifecycle(trx, snapshot, transition, context);
      }
    },
  });
}

function lifecycleOf({ record, state, openOrders }: DeploymentSnapshot): LifecycleSnapshot {
  return {
    status: record.status,
    requestedStatus: record.requestedStatus,
    reason: record.reason,
    held: [...record.holdings.keys()],
    openOrders: openOrders.map(({ id, status, decided: { side, quantity, symbol, purpose } }) => ({
      id,
      status,
      side,
      quantity,
      symbol,
      purpose,
    })),
    busy: new Set(state.working.map(({ symbol }) => symbol)),
  };
}

async function shutGateOf(trx: Transaction, { record }: DeploymentSnapshot): Promise<GateReason | null> {
  if (!asksToStart(record)) return null;
  return shutTradingGate(await readTradingGates(trx, record.id, AGREEMENT_VERSION));
}
