// Carries out what two people have agreed on about deployments, each in a transaction of its own: one that fails is noted,
// stays agreed and holds up no other.
import { type AgreedForDeployment, listAgreedForDeployments } from '#records/incidents/incident-proposals.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

type Work = (trx: Transaction, present: TradingContext, agreed: AgreedForDeployment) => Promise<void>;

export async function carryOutAgreed(
  context: TradingContext,
  action: Parameters<typeof listAgreedForDeployments>[1],
  { task, work, after }: { task: string; work: Work; after?: (id: DeploymentId) => void },
): Promise<void> {
  for (const agreed of await listAgreedForDeployments(context.database, action, context.lease.shards)) {
    const id = agreed.deploymentId;
    try {
      const present = await context.atPresent();
      await present.database.transaction().execute((trx) => work(trx, present, agreed));
      after?.(id);
    } catch (error) {
      const about = { kind: 'deployment_failing', subject: id, deploymentId: id, task } as const;
      noteProblem(context, `${task} of deployment ${id}`, error, about);
    }
  }
}
