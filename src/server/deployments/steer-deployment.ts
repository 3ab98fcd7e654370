import type { Transaction } from 'kysely';
import type { Deployment } from '#contract/deployments.ts';
import { lockOwnDeployment, type SteeredDeployment } from '#records/deployments/deployments.ts';
import type { Tables } from '#records/tables.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../dependencies.ts';
import { notFound, refuse, type Refused } from '../http/refusal.ts';
import { showOwnDeployment } from './find-own-deployment.ts';

type Own = { readonly id: string; readonly userId: UserId };
type Steer = (trx: Transaction<Tables>, deployment: SteeredDeployment) => Promise<Refused | null>;

/** Runs `steer` with one's own deployment locked, then answers the deployment as it is now. */
export async function steerDeployment(
  own: Own,
  steer: Steer,
  dependencies: Dependencies,
): Promise<Deployment | Refused> {
  const refused = await dependencies.records.database.transaction().execute(async (trx) => {
    const deployment = await lockOwnDeployment(trx, own);
    if (!deployment) return notFound();
    if (deployment.requestedStatus === 'liquidated') return refuse('illegal_move', APPROVED);
    return steer(trx, deployment);
  });
  return refused ?? showOwnDeployment(own, dependencies);
}

/** Support's decision stands until the trader has carried it out. */
const APPROVED = 'The liquidation is approved: the positions are about to be sold.';
