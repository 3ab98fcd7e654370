// Deployments that are set aside: for the desk's list, and for a decision about one.
import { type Kysely, sql } from 'kysely';
import type { StatusReason } from '#engine/lifecycle/status-reason.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

export type QuarantinedDeployment = {
  readonly accountId: string;
  readonly subject: DeploymentId;
  /** What it failed at; another quarantine is another one. */
  readonly seen: string;
  readonly brokerName: string;
  readonly client: string;
  readonly strategyName: string;
  readonly reason: Omit<Extract<StatusReason, { code: 'quarantined' }>, 'code'>;
  readonly equityMicro: string;
  readonly positions: number;
};

/** The longest ones first. */
export async function listQuarantined(
  database: Kysely<Tables>,
  max: number,
): Promise<readonly QuarantinedDeployment[]> {
  const { rows } = await sql<QuarantinedDeployment>`
    select ${ACCOUNT} as "accountId", d.id as subject, ${SEEN} as seen, b.name as "brokerName", u.email as client,
      s.name as "strategyName", d.reason_params as reason, d.equity_micro::text as "equityMicro",
      (select count(*)::int from positions p where p.deployment_id = d.id) as positions
    ${QUARANTINED} order by d.marked_at nulls first, d.id limit ${max}`.execute(database);
  return rows;
}

export async function findQuarantined(
  trx: Kysely<Tables>,
  id: string,
): Promise<Pick<QuarantinedDeployment, 'accountId' | 'seen'> | undefined> {
  const { rows } = await sql<Pick<QuarantinedDeployment, 'accountId' | 'seen'>>`
    select ${ACCOUNT} as "accountId", ${SEEN} as seen ${QUARANTINED} and d.id::text = ${id}`.execute(trx);
  return rows[0];
}

/** A quarantine as one can look at it: what failed, and which of several it is. */
const SEEN = sql`d.reason_params::text || ' ' || coalesce((select count(*) from incidents i
  where i.kind = 'deployment_quarantined' and i.subject = d.id::text), 0)`;
/** A connection whose client has not chosen an account has none. */
const ACCOUNT = sql`coalesce(c.account_id, c.id::text)`;
const QUARANTINED = sql`from deployments d join broker_connections c on c.id = d.broker_connection_id
  join brokers b on b.id = c.broker_id join users u on u.id = d.user_id join strategies s on s.id = d.strategy_id
  where d.status = 'failed' and d.reason_code = 'quarantined'`;
