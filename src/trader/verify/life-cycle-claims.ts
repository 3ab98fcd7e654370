// Every edge that a deployment went, against the table of the rules.
import { sql } from 'kysely';
import type { Claim, Offence } from '#records/verify/claim.ts';
import { canMove, DEPLOYMENT_STATUSES, type DeploymentStatus } from '#rules/deployments/status.ts';

export const LIFE_CYCLE_CLAIMS: readonly Claim[] = [
  {
    invariant: 'I12',
    says: 'Deployments moved only along the edges of their life cycle, each with who did it',
    async find(database) {
      const { rows } = await sql<Edge>`
        select seq::text as row, subject, actor, details::jsonb -> 'from' ->> 'status' as left_state,
          details::jsonb -> 'to' ->> 'status' as entered
        from audit_log l where action = 'deployment.changed' and details::jsonb -> 'to' ? 'status'
        order by l.seq`.execute(database);
      return rows.filter((edge) => !isAllowed(edge)).map((edge): Offence => ({ ...edge }));
    },
  },
];

type Edge = {
  readonly row: string;
  readonly subject: string;
  readonly actor: string;
  readonly left_state: string;
  readonly entered: string;
};

function isAllowed({ left_state, entered, actor }: Edge): boolean {
  const [from, to] = [left_state, entered].map((name) => DEPLOYMENT_STATUSES.find((one) => one === name));
  if (from === undefined || to === undefined || actor === '') return false;
  return ACTORS.some((by) =>
    canMove({ from, to, by } satisfies { from: DeploymentStatus; to: DeploymentStatus; by: typeof by }),
  );
}

const ACTORS = ['client', 'support', 'trader'] as const;
