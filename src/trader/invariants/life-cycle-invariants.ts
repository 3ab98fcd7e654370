// Every transition of a deployment, against the table of the rules.
import type { Invariant, Violation } from '#records/invariants/invariant.ts';
import { type DeploymentEdge, listDeploymentEdges } from '#records/invariants/deployment-edges.ts';
import { canMove, DEPLOYMENT_STATUSES, type DeploymentStatus } from '#engine/lifecycle/status.ts';

export const LIFE_CYCLE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I12',
    says: 'Deployments moved only along the edges of their life cycle, each with who did it',
    async find(database) {
      const edges = await listDeploymentEdges(database);
      return edges.filter((edge) => !isAllowed(edge)).map((edge): Violation => ({ ...edge }));
    },
  },
];

function isAllowed({ left_state, entered, actor }: DeploymentEdge): boolean {
  const [from, to] = [left_state, entered].map((name) => DEPLOYMENT_STATUSES.find((one) => one === name));
  if (from === undefined || to === undefined || actor === '') return false;
  return ACTORS.some((by) =>
    canMove({ from, to, by } satisfies { from: DeploymentStatus; to: DeploymentStatus; by: typeof by }),
  );
}

const ACTORS = ['client', 'support', 'trader'] as const;
