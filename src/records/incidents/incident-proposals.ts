// What two people of support have agreed about incidents, for the trader to carry out.
import { type Kysely, sql } from 'kysely';
import type { Acknowledgement } from '#engine/incidents/unprotected-incidents.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId, ExecutionId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseWallInstant } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';

/** Of an approved one: it is carried out or has ended, or what it was about has changed before that. */
export async function closeProposal(trx: Kysely<Tables>, id: string, status: 'over' | 'void'): Promise<void> {
  await sql`update proposals set status = ${status} where id = ${id} and status = 'approved'`.execute(trx);
}

/** Whether it is still approved; until the end of the transaction it then stays so. */
export async function lockApproved(trx: Kysely<Tables>, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from proposals where id = ${id} and status = 'approved' for update`.execute(trx);
  return rows.length === 1;
}

/** The agreed ones about positions of this connection. */
export async function listAcknowledgements(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<readonly Acknowledgement[]> {
  const { rows } = await sql<Omit<Acknowledgement, 'until'> & { until: Date }>`
    select p.id, p.subject, p.seen, p.until from broker_connections c
    join proposals p on p.account_id = c.account_id and p.action = 'acknowledge' and p.status = 'approved'
    join deployments d on d.broker_connection_id = c.id and split_part(p.subject, ' ', 1) = d.id::text
    where c.id = ${connection}`.execute(database);
  return rows.map((row) => ({ ...row, until: parseWallInstant(row.until) }));
}

export type AgreedCommission = {
  readonly proposalId: string;
  readonly executionId: ExecutionId;
  readonly accountId: BrokerAccountId;
  readonly deploymentId: DeploymentId;
  readonly commission: Micro;
  readonly seen: string;
};

/** Agreed and not booked yet, of fills of this connection's orders. */
export async function listAgreedCommissions(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<readonly AgreedCommission[]> {
  const { rows } = await sql<Omit<AgreedCommission, 'commission'> & { commission: string }>`
    select p.id as "proposalId", f.execution_id as "executionId", f.account_id as "accountId",
      f.deployment_id as "deploymentId", p.amount_micro::text as commission, p.seen
    from broker_connections c
    join proposals p on p.account_id = c.account_id and p.action = 'state_commission' and p.status = 'approved'
    join fills f on f.account_id = p.account_id and f.execution_id = p.subject
    join orders o on o.id = f.order_id and o.broker_connection_id = c.id
    where c.id = ${connection} order by p.decided_at, p.id`.execute(database);
  return rows.map((row) => ({ ...row, commission: parseMicro(row.commission) }));
}

export type AgreedForDeployment = {
  readonly id: string;
  readonly seen: string;
  readonly deploymentId: DeploymentId;
};

/** Agreed and not carried out yet, of deployments of these shards. */
export async function listAgreedForDeployments(
  database: Kysely<Tables>,
  action: 'release' | 'rebuild_books',
  shards: readonly number[],
): Promise<readonly AgreedForDeployment[]> {
  const { rows } = await sql<AgreedForDeployment>`
    select p.id, p.seen, d.id as "deploymentId" from proposals p
    join deployments d on d.id::text = p.subject
    where p.action = ${action} and p.status = 'approved' and shard_of(d.broker_connection_id) = any(${shards}::int[])
    order by p.decided_at, p.id`.execute(database);
  return rows;
}
