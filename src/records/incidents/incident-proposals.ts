// What people of support propose about incidents that no list of their own decides, and what others decide about it.
import { type Kysely, sql } from 'kysely';
import type { Acknowledgement } from '#engine/incidents/unprotected-incidents.ts';
import type {
  BrokerAccountId,
  BrokerConnectionId,
  DeploymentId,
  ExecutionId,
  UserId,
} from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseWallInstant } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';

export const PROPOSAL_ACTIONS = [
  'ignore_row',
  'state_commission',
  'acknowledge',
  'release',
  'rebuild_books',
] as const;
export type ProposalAction = (typeof PROPOSAL_ACTIONS)[number];

export type IncidentProposal = {
  readonly id: string;
  readonly action: ProposalAction;
  readonly accountId: string;
  readonly subject: string;
  /** What its subject was when it was proposed. */
  readonly seen: string;
  /** Of state_commission. */
  readonly amount: Micro | null;
  /** Of acknowledge. Real clock. */
  readonly until: Date | null;
  readonly because: string;
  readonly proposedBy: UserId;
  readonly proposer: string;
  readonly proposedAt: Date;
  readonly status: 'open' | 'approved' | 'declined' | 'void' | 'over';
  readonly decidedBy: UserId | null;
  readonly decidedAt: Date | null;
  readonly outcome: string | null;
};

type NewProposal = Pick<
  IncidentProposal,
  'id' | 'action' | 'accountId' | 'subject' | 'seen' | 'amount' | 'until' | 'because' | 'proposedBy'
>;

/** 'taken' when there is an open one about the same. One about what was there before becomes void. */
export async function insertIncidentProposal(
  trx: Kysely<Tables>,
  { id, action, accountId, subject, seen, amount, until, because, proposedBy }: NewProposal,
): Promise<'proposed' | 'taken'> {
  await sql`
    update incident_proposals set status = 'void', decided_at = clock_timestamp()
    where action = ${action} and account_id = ${accountId} and subject = ${subject} and status = 'open'
      and seen <> ${seen}`.execute(trx);
  const { rows } = await sql`
    insert into incident_proposals (id, action, account_id, subject, seen, amount_micro, until, because, proposed_by)
    values (${id}, ${action}, ${accountId}, ${subject}, ${seen}, ${amount === null ? null : String(amount)}::bigint,
      ${until}, ${because}, ${proposedBy})
    on conflict do nothing returning id`.execute(trx);
  return rows.length === 1 ? 'proposed' : 'taken';
}

export async function findIncidentProposal(
  database: Kysely<Tables>,
  id: string,
): Promise<IncidentProposal | undefined> {
  return (await readProposals(database, sql`p.id::text = ${id}`))[0];
}

/** Until the end of the transaction nobody else decides about it. */
export async function lockIncidentProposal(
  trx: Kysely<Tables>,
  id: string,
): Promise<IncidentProposal | undefined> {
  await sql`select from incident_proposals where id::text = ${id} for update`.execute(trx);
  return findIncidentProposal(trx, id);
}

/** What waits for a decision, or is agreed and not over; the newest first. */
export async function listStandingProposals(database: Kysely<Tables>): Promise<readonly IncidentProposal[]> {
  return readProposals(database, sql`p.status in ('open', 'approved')`);
}

async function readProposals(
  database: Kysely<Tables>,
  which: ReturnType<typeof sql>,
): Promise<readonly IncidentProposal[]> {
  const { rows } = await sql<Omit<IncidentProposal, 'amount'> & { amount: string | null }>`
    select p.id, p.action, p.account_id as "accountId", p.subject, p.seen, p.amount_micro::text as amount, p.until,
      p.because, p.proposed_by as "proposedBy", u.email as proposer, p.proposed_at as "proposedAt", p.status,
      p.decided_by as "decidedBy", p.decided_at as "decidedAt", p.outcome
    from incident_proposals p join users u on u.id = p.proposed_by where ${which}
    order by p.proposed_at desc, p.id`.execute(database);
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : parseMicro(row.amount) }));
}

/** The caller holds its lock. */
export async function decideIncidentProposal(
  trx: Kysely<Tables>,
  id: string,
  decision: {
    readonly status: 'approved' | 'declined' | 'void';
    readonly by: UserId | null;
    readonly outcome: string | null;
  },
): Promise<void> {
  await sql`
    update incident_proposals set status = ${decision.status}, decided_by = ${decision.by},
      outcome = ${decision.outcome}, decided_at = clock_timestamp() where id::text = ${id}`.execute(trx);
}

/** Of an approved one: it is carried out or has ended, or what it was about has changed before that. */
export async function closeProposal(trx: Kysely<Tables>, id: string, status: 'over' | 'void'): Promise<void> {
  await sql`update incident_proposals set status = ${status} where id = ${id} and status = 'approved'`.execute(
    trx,
  );
}

/** Whether it is still approved; until the end of the transaction it then stays so. */
export async function lockApproved(trx: Kysely<Tables>, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from incident_proposals where id = ${id} and status = 'approved' for update`.execute(trx);
  return rows.length === 1;
}

/** The agreed ones about positions of this connection. */
export async function listAcknowledgements(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<readonly Acknowledgement[]> {
  const { rows } = await sql<Omit<Acknowledgement, 'until'> & { until: Date }>`
    select p.id, p.subject, p.seen, p.until from broker_connections c
    join incident_proposals p on p.account_id = c.account_id and p.action = 'acknowledge' and p.status = 'approved'
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
    join incident_proposals p on p.account_id = c.account_id and p.action = 'state_commission' and p.status = 'approved'
    join fills f on f.account_id = p.account_id and f.execution_id = p.subject
    join orders o on o.id = f.order_id and o.broker_connection_id = c.id
    where c.id = ${connection} order by p.decided_at, p.id`.execute(database);
  return rows.map((row) => ({ ...row, commission: parseMicro(row.commission) }));
}

export type AgreedForDeployment = Pick<IncidentProposal, 'id' | 'seen'> & {
  readonly deploymentId: DeploymentId;
};

/** Agreed and not carried out yet, of deployments of these shards. */
export async function listAgreedForDeployments(
  database: Kysely<Tables>,
  action: 'release' | 'rebuild_books',
  shards: readonly number[],
): Promise<readonly AgreedForDeployment[]> {
  const { rows } = await sql<AgreedForDeployment>`
    select p.id, p.seen, d.id as "deploymentId" from incident_proposals p
    join deployments d on d.id::text = p.subject
    where p.action = ${action} and p.status = 'approved' and shard_of(d.broker_connection_id) = any(${shards}::int[])
    order by p.decided_at, p.id`.execute(database);
  return rows;
}
