// Manual adjustments of the books: proposed by one person for a difference or a held execution, decided by another, and
// booked once by the trader.
import { type Kysely, sql } from 'kysely';
import type { BreakKind } from '#engine/execution/reconciliation/reconcile-positions.ts';
import type { VoidReason } from '#engine/adjustments/decide-adjustment.ts';
import type {
  BrokerAccountId,
  BrokerConnectionId,
  DeploymentId,
  ExecutionId,
  OrderId,
  Symbol,
  UserId,
} from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity, type Quantity, quantityText, ZERO_QUANTITY } from '#units/quantity.ts';
import { voidReasonText } from '#rules/reasons/void-reason.ts';
import type { Tables } from '../tables.ts';

export type Answered =
  | { readonly difference: string; readonly kind: BreakKind; readonly execution: null }
  | { readonly difference: null; readonly execution: ExecutionId };

export type AnsweredRow = {
  readonly difference: string | null;
  readonly kind: BreakKind | null;
  readonly execution: ExecutionId | null;
};

/** Columns of a proposal `k`. */
export const KIND = sql`(select f.kind from reconciliation_breaks f where f.id = k.break_id)`;

export function answeredOf({ difference, kind, execution }: AnsweredRow): Answered {
  if (difference === null) return { difference, execution: execution! };
  return { difference, kind: kind!, execution: null };
}

export type Proposal = {
  readonly id: string;
  readonly accountId: BrokerAccountId;
  /** The connection whose worker books it. */
  readonly connectionId: BrokerConnectionId;
  readonly answers: Answered;
  /** Null when the trade is external and belongs to no deployment. */
  readonly deploymentId: DeploymentId | null;
  /** The catalogue's name of the instrument if it has one, else the broker's description. */
  readonly symbol: string;
  /** A booked execution that this adjustment undoes. */
  readonly undoes: ExecutionId | null;
  /** Signed: the units booked, or counted as traded externally. */
  readonly units: Quantity;
  /** In the quote currency; null when nothing is booked. */
  readonly price: number | null;
  readonly commission: Micro;
  /** The end of a sentence; the owner of the deployment reads it. */
  readonly because: string;
};

/**
 * What a proposal answers, as of now; null when nothing is left to answer. For a difference: the part that no deployment
 * explains, i.e. how far broker and books differ, or the total that was traded externally and the time of the last trade.
 */
export const SEEN_NOW = sql`(case when k.break_id is not null
  then (select trim_scale(case f.kind when 'unexplained' then f.theirs - f.ours - f.external else f.external end)::text
      || coalesce(', last at ' || extract(epoch from f.traded_at), '')
    from reconciliation_breaks f where f.id = k.break_id and f.ended_at is null)
  else (select x.hold_code || coalesce(' ' || x.hold_params::text, '') from broker_inbox x where x.account_id = k.account_id and x.execution_id = k.execution_id
    and x.closed_at is null) end
  || ', splits: ' || (select count(*) from position_events h
    where h.deployment_id = k.deployment_id and h.symbol = k.symbol and h.kind = 'split'))`;

/** A unique key refuses a second proposal for the same subject, or one that undoes the same execution. */
export async function insertProposal(
  trx: Kysely<Tables>,
  proposal: Proposal,
  by: UserId,
): Promise<'proposed' | 'taken'> {
  const { answers, units, price, commission } = proposal;
  const inserted = await sql`
    with k as (
      select ${proposal.id}::uuid as id, ${proposal.accountId}::text as account_id,
        ${proposal.connectionId}::uuid as connection_id, ${answers.difference}::uuid as break_id,
        ${answers.execution}::text as execution_id, ${proposal.deploymentId}::uuid as deployment_id,
        ${proposal.symbol}::text as symbol)
    insert into adjustments (id, account_id, connection_id, break_id, execution_id, seen, closes_as,
      deployment_id, symbol, undoes_execution, units, price, commission_micro, because, proposed_by)
    select k.id, k.account_id, k.connection_id, k.break_id, k.execution_id, ${SEEN_NOW},
      case when k.deployment_id is null then 'external' else 'adjustment' end, k.deployment_id, k.symbol,
      ${proposal.undoes}, ${quantityText(units)}::numeric, ${price}::numeric, ${String(commission)}::bigint,
      ${proposal.because}, ${by}
    from k on conflict do nothing`.execute(trx);
  return inserted.numAffectedRows === 1n ? 'proposed' : 'taken';
}

/** Voids open or approved proposals whose subject has changed, so that they do not block a new one. */
export async function voidOutdated(
  trx: Kysely<Tables>,
  { accountId, answers: { difference, execution } }: Pick<Proposal, 'accountId' | 'answers'>,
): Promise<void> {
  await sql`
    update adjustments k set status = 'void', outcome = ${voidReasonText({ code: 'changed' })}, ended_at = clock_timestamp()
    where account_id = ${accountId} and status in ('open', 'approved')
      and (break_id = ${difference}::uuid or execution_id = ${execution}::text)
      and seen is distinct from ${SEEN_NOW}`.execute(trx);
}

export type DecidedProposal = {
  readonly id: string;
  readonly status: 'open' | 'approved' | 'declined' | 'void' | 'applied';
  readonly proposedBy: UserId;
  readonly decidedBy: UserId | null;
  readonly outcome: string | null;
  /** Whether the subject is unchanged since the proposal. */
  readonly isCurrent: boolean;
};

export async function lockProposal(trx: Kysely<Tables>, id: string): Promise<DecidedProposal | undefined> {
  const { rows } = await sql<DecidedProposal>`
    select k.id, k.status, k.proposed_by as "proposedBy", k.decided_by as "decidedBy", k.outcome,
      k.seen is not distinct from ${SEEN_NOW} as "isCurrent"
    from adjustments k where k.id::text = ${id} for update`.execute(trx);
  return rows[0];
}

/** The caller holds its lock and has checked that this decision is allowed. */
export async function decideProposal(
  trx: Kysely<Tables>,
  id: string,
  { by, declinedBecause }: { readonly by: UserId; readonly declinedBecause: string | null },
): Promise<void> {
  const isDeclined = declinedBecause !== null;
  await sql`
    update adjustments set status = ${isDeclined ? 'declined' : 'approved'}, decided_by = ${by},
      decided_at = clock_timestamp(), outcome = ${declinedBecause},
      ended_at = case when ${isDeclined}::boolean then clock_timestamp() end
    where id = ${id}`.execute(trx);
}

/** The caller holds its lock. */
export async function voidProposal(trx: Kysely<Tables>, id: string, reason: VoidReason): Promise<void> {
  await sql`
    update adjustments set status = 'void', outcome = ${voidReasonText(reason)}, ended_at = clock_timestamp()
    where id = ${id}`.execute(trx);
}

/** Approved and not booked yet, in order of approval. */
export async function listApproved(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<readonly Proposal[]> {
  const { rows } = await sql<ProposalRow>`
    ${PROPOSAL} where k.connection_id = ${connection} and k.status = 'approved' order by k.decided_at, k.id`.execute(
    database,
  );
  return rows.map(proposalOf);
}

/**
 * Of an instrument in an account, signed: by how much broker and books differ, where two people have agreed how to bring just
 * that into the books and it is not booked yet; else zero.
 */
export async function findAgreedDifference(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  symbol: Symbol,
): Promise<Quantity> {
  const { rows } = await sql<{ units: string }>`
    select trim_scale(f.theirs - f.ours - f.external)::text as units
    from adjustments k join reconciliation_breaks f on f.id = k.break_id
    where k.account_id = ${account} and f.symbol = ${symbol} and f.kind = 'unexplained' and f.ended_at is null
      and k.status = 'approved' and k.seen is not distinct from ${SEEN_NOW}`.execute(database);
  return rows[0] === undefined ? ZERO_QUANTITY : parseQuantity(rows[0].units);
}

/** Its status once locked: 'over' when it was booked, declined or voided in the meantime. */
export async function lockApproved(
  trx: Kysely<Tables>,
  { id, accountId, answers }: Proposal,
): Promise<'approved' | 'changed' | 'over'> {
  if (answers.execution !== null)
    await sql`
      select from broker_inbox where account_id = ${accountId} and execution_id = ${answers.execution}
      for update`.execute(trx);
  else await sql`select from reconciliation_breaks where id = ${answers.difference} for update`.execute(trx);
  const locked = await lockProposal(trx, id);
  if (locked?.status !== 'approved') return 'over';
  return locked.isCurrent ? 'approved' : 'changed';
}

export type AppliedProposal = {
  /** Market time. */
  readonly at: Instant;
  readonly netUnits: Quantity;
  readonly cash: Micro;
  readonly realized: Micro;
  readonly commission: Micro;
  readonly bookedProfit: Micro;
  /** Change of the filled quantity of the order whose execution was undone. */
  readonly order: { readonly id: OrderId; readonly filledChange: Quantity } | null;
  readonly explanation: string;
};

/** The caller holds its lock. An adjustment has no null fields; a suspense entry has moved no cash of a deployment. */
export async function markApplied(
  trx: Kysely<Tables>,
  { id, accountId, answers, units }: Proposal,
  applied: AppliedProposal | { readonly at: Instant },
): Promise<void> {
  const facts = 'explanation' in applied ? applied : null;
  const order = facts?.order ?? null;
  const text = (amount: number | undefined) => (amount === undefined ? null : String(amount));
  await sql`
    update adjustments set status = 'applied', ended_at = clock_timestamp(), applied_at = ${isoText(applied.at)},
      net_units = ${quantityText(facts?.netUnits ?? units)}::numeric, cash_micro = ${text(facts?.cash)}::bigint,
      realized_micro = ${text(facts?.realized)}::bigint, net_commission_micro = ${text(facts?.commission)}::bigint,
      booked_profit_micro = ${text(facts?.bookedProfit)}::bigint, explanation = ${facts?.explanation ?? null},
      order_id = ${order?.id ?? null}, filled_change = ${order === null ? null : quantityText(order.filledChange)}::numeric
    where id = ${id}`.execute(trx);
  if (answers.execution !== null)
    await sql`
      update broker_inbox set hold_code = null, hold_params = null, closed_at = clock_timestamp()
      where account_id = ${accountId} and execution_id = ${answers.execution} and closed_at is null`.execute(
      trx,
    );
}

const PROPOSAL = sql`
  select id, account_id as "accountId", connection_id as "connectionId", break_id as difference,
    ${KIND} as kind, execution_id as execution, deployment_id as "deploymentId", symbol, undoes_execution as undoes, units::text,
    price::float8, commission_micro::text as commission, because
  from adjustments k`;

type ProposalRow = Omit<Proposal, 'answers' | 'units' | 'commission'> &
  AnsweredRow & {
    readonly units: string;
    readonly commission: string;
  };

function proposalOf({ difference, kind, execution, units, commission, ...row }: ProposalRow): Proposal {
  return {
    ...row,
    answers: answeredOf({ difference, kind, execution }),
    units: parseQuantity(units),
    commission: parseMicro(commission),
  };
}

export type BookedExecution = {
  readonly id: ExecutionId;
  readonly deploymentId: DeploymentId;
  /** Null when it was booked without an order. */
  readonly orderId: OrderId | null;
  readonly symbol: Symbol;
  /** Signed, in units before any later split. */
  readonly units: Quantity;
  readonly price: number;
  readonly commission: Micro;
  /** Profit realised by the booking, before commission. */
  readonly profit: Micro;
  /** Market time of the execution. */
  readonly at: Date;
  readonly isUndone: boolean;
};

/** Executions booked for deployments in an account, from broker reports or adjustments; newest first. */
export async function listBookedExecutions(
  database: Kysely<Tables>,
  { account, symbol, ids }: { account: string; symbol: string; ids?: readonly ExecutionId[] },
  max = 50,
): Promise<readonly BookedExecution[]> {
  const asked = ids === undefined ? sql`true` : sql`b.id = any(${[...ids]}::text[])`;
  const { rows } = await sql<BookedRow>`
    select b.*, exists (select from adjustments u where u.account_id = ${account} and u.undoes_execution = b.id
        and u.status in ('open', 'approved', 'applied')) as "isUndone"
    from (
      select execution_id as id, deployment_id as "deploymentId", order_id as "orderId", symbol,
        (case side when 'buy' then quantity else -quantity end)::text as units, price::float8,
        commission_micro::text as commission, realized_micro::text as profit, executed_at as at
      from fills where account_id = ${account} and symbol = ${symbol}
      union all
      select k.execution_id, deployment_id, order_id, symbol, units::text, price::float8, commission_micro::text,
        booked_profit_micro::text, to_timestamp((x.report ->> 'at')::float8 / 1000)
      from adjustments k join broker_inbox x on x.account_id = k.account_id and x.execution_id = k.execution_id
      where k.account_id = ${account} and symbol = ${symbol} and status = 'applied' and closes_as = 'adjustment'
        and units <> 0) b
    where ${asked} order by b.at desc, b.id limit ${max}`.execute(database);
  return rows.map(({ units, commission, profit, ...row }) => ({
    ...row,
    units: parseQuantity(units),
    commission: parseMicro(commission),
    profit: parseMicro(profit),
  }));
}

type BookedRow = Omit<BookedExecution, 'units' | 'commission' | 'profit'> & {
  readonly units: string;
  readonly commission: string;
  readonly profit: string;
};
