// Every state transition of a deployment, from the audit log.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export type DeploymentEdge = {
  readonly row: string;
  readonly subject: string;
  readonly actor: string;
  readonly left_state: string;
  readonly entered: string;
};

export async function listDeploymentEdges(database: Kysely<Tables>): Promise<readonly DeploymentEdge[]> {
  const { rows } = await sql<DeploymentEdge>`
    select seq::text as row, subject, actor, details::jsonb -> 'from' ->> 'status' as left_state,
      details::jsonb -> 'to' ->> 'status' as entered
    from audit_log l where action = 'deployment.changed' and details::jsonb -> 'to' ? 'status'
    order by l.seq`.execute(database);
  return rows;
}
