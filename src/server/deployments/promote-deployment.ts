import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { applyCommand } from '#engine/lifecycle/apply-command.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import {
  lockOwnDeployment,
  requestStatus,
  type SteeredDeployment,
} from '#records/deployments/deployments.ts';
import { isPromoted, setShadow } from '#records/practice/practice-connections.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { commandReason } from '#rules/reasons/command-reason.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse, type Refused } from '../http/refusal.ts';
import { deploy } from './create-deployment.ts';

/**
 * A real deployment with the strategy, limits and amount of a practice one. It passes every check of a new deployment; no
 * order, position or cash of practice goes over. The practice one goes on as its shadow, or ends.
 */
export const promoteDeployment: Call<typeof deploymentsEndpoints.promoteDeployment> = async (
  { params, body, caller: { userId }, repetitionId },
  dependencies,
) => {
  const own = { id: params.id, userId };
  const { database } = dependencies.records;
  const practice = await database.transaction().execute((trx) => lockOwnDeployment(trx, own));
  if (!practice) return notFound();
  const early = refuseMove(practice);
  if (early) return early;
  return deploy(
    {
      userId,
      repetitionId,
      body: {
        strategy: practice.strategyId,
        broker_connection: body.broker_connection,
        investment_amount: fromMicro(practice.investment),
        ...practice.settings,
        disconnect_choice: practice.disconnectPolicy.choice,
        disconnect_minutes: practice.disconnectPolicy.minutes,
        tripwire_choice: practice.tripwireChoice,
      },
      async first(trx) {
        const locked = await lockOwnDeployment(trx, own);
        if (!locked) return notFound();
        const isDone = await isPromoted(trx, locked.id);
        return isDone ? refuse('illegal_move', PROMOTED) : refuseMove(locked);
      },
      afterwards: (trx, real) =>
        body.practice === 'shadow'
          ? setShadow(trx, { practice: practice.id, real })
          : end(trx, practice.id, own),
    },
    dependencies,
  );
};

function refuseMove({ mode, status }: SteeredDeployment): Refused | null {
  if (mode !== 'practice') return refuse('illegal_move', 'Only a practice deployment can be promoted.');
  if (hasEnded(status)) return refuse('illegal_move', 'This practice deployment has ended.');
  return null;
}

async function end(
  trx: Transaction,
  id: DeploymentId,
  own: Parameters<typeof lockOwnDeployment>[1],
): Promise<void> {
  const current = await lockOwnDeployment(trx, own);
  if (!current) throw new Error(`the locked deployment ${id} is gone`);
  const stop = applyCommand('stop', current);
  if (!stop.ok) throw new Error(commandReason(stop.refusal));
  if (stop.requestedStatus !== current.requestedStatus)
    await requestStatus(trx, { id, status: stop.requestedStatus });
}

const PROMOTED = 'This practice deployment is the shadow of a real one already.';
