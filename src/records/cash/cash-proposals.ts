// What people of support propose about unexplained cash, and decide.
import { type Kysely, sql } from 'kysely';
import type { CashCause } from '#engine/cash/cash-decision.ts';
import type { CashItem } from '#engine/cash/cash-statement.ts';
import type { BrokerAccountId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type CashProposal = {
  readonly id: string;
  readonly breakId: string;
  readonly accountId: BrokerAccountId;
  readonly amount: Micro;
  readonly cause: CashCause;
  readonly because: string;
  readonly proposedBy: UserId;
  readonly proposer: string;
  readonly proposedAt: Date;
  readonly status: 'open' | 'approved' | 'declined' | 'void';
  readonly decidedBy: UserId | null;
  readonly decidedAt: Date | null;
  readonly outcome: string | null;
};

/** 'taken' when there is an open one for the break. */
export async function insertCashProposal(
  trx: Kysely<Tables>,
  proposal: Pick<
    CashProposal,
    'id' | 'breakId' | 'accountId' | 'amount' | 'cause' | 'because' | 'proposedBy'
  >,
): Promise<'proposed' | 'taken'> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('cash_proposals')
    .values({
      id: proposal.id,
      break_id: proposal.breakId,
      account_id: proposal.accountId,
      amount_micro: proposal.amount,
      cause: proposal.cause,
      because: proposal.because,
      proposed_by: proposal.proposedBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n ? 'proposed' : 'taken';
}

const PROPOSAL = sql`p.id, p.break_id as "breakId", p.account_id as "accountId", p.amount_micro::text as amount, p.cause,
  p.because, p.proposed_by as "proposedBy", u.email as proposer, p.proposed_at as "proposedAt", p.status,
  p.decided_by as "decidedBy", p.decided_at as "decidedAt", p.outcome`;

export async function findCashProposal(
  database: Kysely<Tables>,
  id: string,
): Promise<CashProposal | undefined> {
  return (await readProposals(database, sql`p.id::text = ${id}`))[0];
}

/** The open ones of these breaks. */
export async function listOpenCashProposals(
  database: Kysely<Tables>,
  breaks: readonly string[],
): Promise<readonly CashProposal[]> {
  return readProposals(database, sql`p.break_id::text = any(${[...breaks]}::text[]) and p.status = 'open'`);
}

async function readProposals(
  database: Kysely<Tables>,
  which: ReturnType<typeof sql>,
): Promise<readonly CashProposal[]> {
  const { rows } = await sql<Omit<CashProposal, 'amount'> & { amount: string }>`
    select ${PROPOSAL} from cash_proposals p join users u on u.id = p.proposed_by where ${which}`.execute(
    database,
  );
  return rows.map((row) => ({ ...row, amount: parseMicro(row.amount) }));
}

/** The caller holds the lock of the account's cash. */
export async function decideCashProposal(
  trx: Kysely<Tables>,
  id: string,
  decision: {
    readonly status: 'approved' | 'declined' | 'void';
    readonly by: UserId | null;
    readonly outcome: string | null;
  },
): Promise<void> {
  await sql`
    update cash_proposals set status = ${decision.status}, decided_by = ${decision.by}, outcome = ${decision.outcome},
      decided_at = clock_timestamp() where id::text = ${id}`.execute(trx);
}

/** Once for a reference; a second one is refused by the key. */
export async function insertCashMovement(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  movement: CashItem & { readonly reference: string; readonly at: Instant },
): Promise<void> {
  await sql`
    insert into cash_movements (account_id, reference, line, amount_micro, at)
    values (${account}, ${movement.reference}, ${movement.line}, ${String(movement.amount)}::bigint, ${isoText(movement.at)})`.execute(
    trx,
  );
}

export type OpenCashBreak = {
  readonly id: string;
  readonly accountId: BrokerAccountId;
  readonly brokerName: string;
  readonly clients: readonly string[];
  readonly currency: string;
  readonly unexplained: Micro;
  readonly date: string;
  readonly since: Date;
};

/** The longest open first. */
export async function listCashBreaks(
  database: Kysely<Tables>,
  max: number,
): Promise<readonly OpenCashBreak[]> {
  const { rows } = await sql<Omit<OpenCashBreak, 'unexplained'> & { unexplained: string }>`
    select k.id, k.account_id as "accountId", k.currency, k.unexplained_micro::text as unexplained, k.date::text, k.since,
      coalesce((select min(b.name) from broker_connections c join brokers b on b.id = c.broker_id
        where c.account_id = k.account_id), '') as "brokerName",
      array(select distinct u.email from broker_connections c join users u on u.id = c.user_id
        where c.account_id = k.account_id order by u.email) as clients
    from cash_breaks k where k.ended_at is null order by k.since, k.id limit ${max}`.execute(database);
  return rows.map((row) => ({ ...row, unexplained: parseMicro(row.unexplained) }));
}

/** The account of a break, whether it is open or not. */
export async function accountOfBreak(
  database: Kysely<Tables>,
  id: string,
): Promise<BrokerAccountId | undefined> {
  const { rows } = await sql<{ account: BrokerAccountId }>`
    select account_id as account from cash_breaks where id::text = ${id}`.execute(database);
  return rows[0]?.account;
}
