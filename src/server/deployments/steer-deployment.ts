import type { Transaction } from 'kysely';
import type { Deployment } from '#contract/deployments.ts';
import { applyCommand, type DeploymentCommand } from '#engine/lifecycle/apply-command.ts';
import {
  lockOwnDeployment,
  requestStatus,
  type SteeredDeployment,
} from '#records/deployments/deployments.ts';
import type { Tables } from '#records/tables.ts';
import { commandReason } from '#rules/reasons/command-reason.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { notFound, refuse, type Refused } from '../http/refusal.ts';
import { showOwnDeployment } from './show-own-deployment.ts';

type Steered = {
  readonly id: string;
  readonly userId: UserId;
  readonly command: DeploymentCommand | 'withdraw';
  /** Further work of the command, in the same transaction; a refusal changes nothing. */
  readonly also?: (trx: Transaction<Tables>, deployment: SteeredDeployment) => Promise<Refused | null>;
};

/** Writes a command for the caller's deployment and returns its current state. The trader executes it. */
export async function steerDeployment(
  { id, userId, command, also }: Steered,
  dependencies: Dependencies,
): Promise<Deployment | Refused> {
  const own = { id, userId };
  const refused = await dependencies.records.database.transaction().execute(async (trx) => {
    const deployment = await lockOwnDeployment(trx, own);
    if (!deployment) return notFound();
    const outcome = applyCommand(command, deployment);
    if (!outcome.ok) return refuse('illegal_move', commandReason(outcome.refusal));
    const refusal = (await also?.(trx, deployment)) ?? null;
    if (refusal !== null) return refusal;
    const { requestedStatus: status } = outcome;
    if (status !== deployment.requestedStatus) await requestStatus(trx, { id: deployment.id, status });
    return null;
  });
  return refused ?? showOwnDeployment(own, dependencies);
}
