// Carries out requests: start, pause, resume, stop. The engine decides the next step, this module saves it;
// until then the screen shows both states.
import type { StateTransition } from '#engine/execution/deployment/state-transition.ts';
import { advance, asksToStart } from '#engine/lifecycle/advance.ts';
import { carryOut, lifecycleOf } from '#engine/lifecycle/carry-out.ts';
import type { GateReason } from '#engine/lifecycle/status-reason.ts';
import { quarantine, release } from '#engine/lifecycle/quarantine.ts';
import type { FailingTask } from '#engine/lifecycle/status-reason.ts';
import { listCommandedDeployments } from '#records/deployments/deployment-queues.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import {
  type AgreedForDeployment,
  closeProposal,
  lockApproved,
} from '#records/incidents/incident-proposals.ts';
import { findQuarantined } from '#records/incidents/quarantined-deployments.ts';
import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { awaitsCapacity } from '#records/strategies/capacity-queue.ts';
import { shutTradingGate } from '#rules/deployments/gates.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { carryOutAgreed } from './carry-out-agreed.ts';
import { checkCash } from './check-cash.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export async function applyCommands(context: TradingContext): Promise<void> {
  await runInBatches(context, {
    task: 'life-cycle',
    ids: await listCommandedDeployments(context.database, context.lease.shards),
    size: 1,
    work: async (trx, ids, present) => {
      for (const snapshot of await loadSnapshots(trx, ids, present, { lock: 'for update' })) {
        const { record } = snapshot;
        const shutGate = asksToStart(record) ? await findShutGate(trx, record.id) : null;
        const step = advance(lifecycleOf(snapshot), shutGate);
        if (step === null) continue;
        await save(trx, present, carryOut(snapshot, step, present));
        if (record.status === 'failed' && step.status !== 'failed')
          await endIncident(trx, quarantineOf(record.id), { how: 'cleared', at: context.realNow() });
      }
    },
  });
}

async function findShutGate(trx: Transaction, id: DeploymentId): Promise<GateReason | null> {
  if (await awaitsCapacity(trx, { deploymentId: id, flowId: null })) return { code: 'awaits_capacity' };
  return shutTradingGate(await readTradingGates(trx, id, AGREEMENT_VERSION)) ?? (await checkCash(trx, id));
}

/** A deployment that keeps failing is quarantined, so that a person sees it and no other waits for it. */
export async function quarantineFailing(context: TradingContext): Promise<void> {
  for (const { id, failing } of context.circuitBreaker.takeOpened()) {
    try {
      const present = await context.atPresent();
      await present.database.transaction().execute(async (trx) => {
        const [snapshot] = await loadSnapshots(trx, [id], present, { lock: 'for update' });
        const step = snapshot && quarantine(snapshot.record, failing);
        if (!snapshot || !step) return;
        await save(trx, present, carryOut(snapshot, step, present));
        await openIncident(trx, quarantined(id, failing), context.realNow());
      });
    } catch (error) {
      const about = {
        kind: 'deployment_failing',
        subject: id,
        deploymentId: id,
        task: 'quarantine',
      } as const;
      noteProblem(context, `quarantine of deployment ${id}`, error, about);
    }
  }
}

/** What two people agreed on, if it is still the quarantine that they saw. */
export function releaseQuarantined(context: TradingContext): Promise<void> {
  return carryOutAgreed(context, 'release', {
    task: 'release',
    work: carryOutRelease,
    after: (id) => context.circuitBreaker.forget(id),
  });
}

async function carryOutRelease(
  trx: Transaction,
  context: TradingContext,
  { id, seen, deploymentId }: AgreedForDeployment,
): Promise<void> {
  const [snapshot] = await loadSnapshots(trx, [deploymentId], context, { lock: 'for update' });
  if (!(await lockApproved(trx, id))) return;
  const isSame = (await findQuarantined(trx, deploymentId))?.seen === seen;
  const step =
    snapshot &&
    release({
      ...lifecycleOf(snapshot),
      drawdownLimitPercent: snapshot.record.limits.freezeOnDrawdownPercent,
    });
  if (!snapshot || !step || !isSame) return closeProposal(trx, id, 'void');
  await save(trx, context, carryOut(snapshot, step, context));
  await closeProposal(trx, id, 'over');
  await endIncident(trx, quarantineOf(deploymentId), { how: 'cleared', at: context.realNow() });
}

const quarantineOf = (id: DeploymentId) => ({ kind: 'deployment_quarantined', subject: id }) as const;

const quarantined = (id: DeploymentId, { task, symbol }: FailingTask) =>
  ({ ...quarantineOf(id), deploymentId: id, facts: { task, instrument: symbol } }) as const;

async function save(trx: Transaction, context: TradingContext, transition: StateTransition): Promise<void> {
  await saveTransitions(trx, context, [transition]);
  if (transition.before !== transition.after || transition.orders.length > 0)
    context.report.commandsApplied += 1;
}
