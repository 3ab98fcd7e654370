// What one person of staff proposes and another decides.
import { type Kysely, sql } from 'kysely';
import type { CashCause } from '#engine/cash/cash-decision.ts';
import type { ProposalAction } from '#rules/operations/proposal-action.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type Proposal = {
  readonly id: string;
  readonly action: ProposalAction;
  readonly accountId: string | null;
  readonly subject: string;
  /** What its subject was when it was proposed. */
  readonly seen: string;
  /** Of state_commission and explain_cash. */
  readonly amount: Micro | null;
  /** Of explain_cash. */
  readonly cause: CashCause | null;
  /** Of acknowledge. Real clock. */
  readonly until: Date | null;
  /** Of resolve_order; null: it never became an order at the broker. */
  readonly brokerOrderId: string | null;
  readonly because: string;
  readonly proposedBy: UserId;
  readonly proposer: string;
  readonly proposedAt: Date;
  readonly status: 'open' | 'approved' | 'declined' | 'void' | 'over';
  readonly decidedBy: UserId | null;
  readonly decidedAt: Date | null;
  readonly outcome: string | null;
};

export type NewProposal = Omit<
  Proposal,
  'proposer' | 'proposedAt' | 'status' | 'decidedBy' | 'decidedAt' | 'outcome'
>;

/** 'taken' when there is an open one about the same. One about what was there before becomes void. */
export async function insertProposal(
  trx: Kysely<Tables>,
  { id, action, accountId, subject, seen, amount, ...proposal }: NewProposal,
): Promise<'proposed' | 'taken'> {
  await sql`
    update proposals set status = 'void', decided_at = clock_timestamp()
    where action = ${action} and account_id is not distinct from ${accountId} and subject = ${subject}
      and status = 'open' and seen <> ${seen}`.execute(trx);
  const { rows } = await sql`
    insert into proposals (id, action, account_id, subject, seen, amount_micro, cause, until, broker_order_id, because,
      proposed_by)
    values (${id}, ${action}, ${accountId}, ${subject}, ${seen}, ${amount === null ? null : String(amount)}::bigint,
      ${proposal.cause}, ${proposal.until}, ${proposal.brokerOrderId}, ${proposal.because}, ${proposal.proposedBy})
    on conflict do nothing returning id`.execute(trx);
  return rows.length === 1 ? 'proposed' : 'taken';
}

export async function findProposal(database: Kysely<Tables>, id: string): Promise<Proposal | undefined> {
  return (await readProposals(database, sql`p.id::text = ${id}`))[0];
}

/** Until the end of the transaction nobody else decides about it. */
export async function lockProposal(trx: Kysely<Tables>, id: string): Promise<Proposal | undefined> {
  await sql`select from proposals where id::text = ${id} for update`.execute(trx);
  return findProposal(trx, id);
}

/** What waits for a decision, or is agreed and not over; the newest first. */
export async function listStandingProposals(database: Kysely<Tables>): Promise<readonly Proposal[]> {
  return readProposals(database, sql`p.status in ('open', 'approved')`);
}

/** Every one to publish or retire this strategy, a version of it or one of these drafts of the next, the newest first. */
export async function listStrategyProposals(
  database: Kysely<Tables>,
  { strategyId, drafts }: { readonly strategyId: string; readonly drafts: readonly string[] },
): Promise<readonly Proposal[]> {
  return readProposals(
    database,
    sql`p.action in ('publish', 'retire') and (p.subject = any(${[strategyId, ...drafts]}::text[])
      or p.id in (select proposal_id from strategy_versions where strategy_id = ${strategyId}))`,
  );
}

async function readProposals(
  database: Kysely<Tables>,
  which: ReturnType<typeof sql>,
): Promise<readonly Proposal[]> {
  const { rows } = await sql<Omit<Proposal, 'amount'> & { amount: string | null }>`
    select p.id, p.action, p.account_id as "accountId", p.subject, p.seen, p.amount_micro::text as amount, p.cause,
      p.until, p.broker_order_id as "brokerOrderId", p.because, p.proposed_by as "proposedBy", u.email as proposer,
      p.proposed_at as "proposedAt", p.status, p.decided_by as "decidedBy", p.decided_at as "decidedAt", p.outcome
    from proposals p join users u on u.id = p.proposed_by where ${which}
    order by p.proposed_at desc, p.id`.execute(database);
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : parseMicro(row.amount) }));
}

/** The caller holds its lock. */
export async function decideProposal(
  trx: Kysely<Tables>,
  id: string,
  decision: {
    readonly status: Exclude<Proposal['status'], 'open'>;
    readonly by: UserId | null;
    readonly outcome: string | null;
  },
): Promise<void> {
  await sql`
    update proposals set status = ${decision.status}, decided_by = ${decision.by},
      outcome = ${decision.outcome}, decided_at = clock_timestamp() where id::text = ${id}`.execute(trx);
}

/** The open ones of somebody who is no longer staff. */
export async function voidProposalsBy(trx: Kysely<Tables>, proposer: UserId): Promise<void> {
  await sql`
    update proposals set status = 'void', decided_at = clock_timestamp()
    where proposed_by = ${proposer} and status = 'open'`.execute(trx);
}

/** What the open ones were about is decided otherwise. */
export async function voidProposals(
  trx: Kysely<Tables>,
  { action, subject }: Pick<Proposal, 'action' | 'subject'>,
): Promise<void> {
  await sql`
    update proposals set status = 'void', decided_at = clock_timestamp()
    where action = ${action} and subject = ${subject} and status = 'open'`.execute(trx);
}
