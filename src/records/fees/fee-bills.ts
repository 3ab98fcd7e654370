// Bills of the performance fee: what is due, the figures of a bill, and the bills as written.
// Append-only, one per deployment and period; the biller holds the locks of the deployments' rows.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { FeeBill, FeeFigures } from '#rules/fees/fee-bill.ts';
import type { FeePeriodLength } from '#rules/fees/fee-period.ts';
import type { BrokerConnectionId, DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { idList } from '../postgres/id-list.ts';
import { IS_SETTLED } from '../postgres/settled.ts';
import { postTransaction } from '../portfolio/ledger.ts';
import type { Tables } from '../tables.ts';

export type PeriodEnds = {
  readonly [length in FeePeriodLength]: Instant;
} & {
  /** Deployments that ended later wait for the commissions that their broker has not stated. */
  readonly awaitsAfter: Instant;
  /** A deployment that ends later by its trader's clock is not due yet: this clock may be a look behind. */
  readonly now: Instant;
};

/** Left out of what is due: no look would be free for the others. */
const isAwaited = ({ awaitsAfter }: Pick<PeriodEnds, 'awaitsAfter'>) => sql`(
  d.ended_at > ${isoText(awaitsAfter)}::timestamptz
  and exists (select from fills f where f.deployment_id = d.id and f.is_provisional))`;

/**
 * Deployments whose last billed period ended before the newest period end, and those that have ended since. Null shards:
 * all of them.
 */
export async function listDeploymentsToBill(
  database: Kysely<Tables>,
  ends: PeriodEnds,
  {
    shards,
    limit,
    except = [],
  }: {
    readonly shards: readonly number[] | null;
    readonly limit: number;
    readonly except?: readonly DeploymentId[];
  },
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select d.id from deployments d join users u on u.id = d.user_id
    where d.mode = 'real' and ((d.ended_at <= ${isoText(ends.now)}::timestamptz and d.billed_through is distinct from d.ended_at)
        or (d.ended_at is null and coalesce(d.billed_through, d.deployed_at)
          < case u.fee_period when 'weekly' then ${isoText(ends.weekly)}::timestamptz
            else ${isoText(ends.monthly)}::timestamptz end))
      and (${shards}::int[] is null or shard_of(d.broker_connection_id) = any(${shards}::int[]))
      and not coalesce(${isAwaited(ends)}, false) and ${IS_SETTLED} and d.id <> all(${idList(except)}::uuid[])
    order by d.id limit ${limit}`.execute(database);
  return rows.map(({ id }) => id);
}

/** Deployments that have ended since they were last billed. */
export async function listEndedToBill(
  database: Kysely<Tables>,
  ends: Pick<PeriodEnds, 'awaitsAfter' | 'now'>,
  { shards, limit }: { readonly shards: readonly number[]; readonly limit: number },
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select d.id from deployments d where d.mode = 'real' and d.ended_at <= ${isoText(ends.now)}::timestamptz
      and d.billed_through is distinct from d.ended_at
      and shard_of(d.broker_connection_id) = any(${shards}::int[]) and not ${isAwaited(ends)} and ${IS_SETTLED}
    order by d.id limit ${limit}`.execute(database);
  return rows.map(({ id }) => id);
}

/** Unbilled periods have the new length, from the end of the last billed one. */
export async function changeFeePeriodOf(
  trx: Transaction<Tables>,
  email: string,
  length: FeePeriodLength,
): Promise<'changed' | 'nobody'> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ fee_period: length })
    .where('email', '=', email)
    .executeTakeFirst();
  return numUpdatedRows === 0n ? 'nobody' : 'changed';
}

export type BilledDeployment = {
  readonly id: DeploymentId;
  readonly userId: UserId;
  readonly connectionId: BrokerConnectionId;
  readonly strategyName: string;
  /** Its owner wrote the rules. */
  readonly isOwnStrategy: boolean;
  readonly feePeriod: FeePeriodLength;
  readonly billedThrough: Instant | null;
  readonly deployedAt: Instant;
  readonly endedAt: Instant | null;
  /** A commission of one of its executions is an estimate. */
  readonly hasEstimates: boolean;
};

/** Locks them until the transaction ends, in order of their ids: nothing is booked, marked or ended meanwhile. */
export async function lockForBilling(
  trx: Transaction<Tables>,
  ids: readonly DeploymentId[],
): Promise<BilledDeployment[]> {
  const { rows } = await sql<BilledRow>`
    select d.id, d.user_id, d.broker_connection_id, s.name as strategy_name,
      s.owner_id is not null as is_own_strategy, u.fee_period, d.billed_through, d.deployed_at, d.ended_at,
      exists (select from fills f where f.deployment_id = d.id and f.is_provisional) as has_estimates
    from deployments d join users u on u.id = d.user_id join strategies s on s.id = d.strategy_id
    where d.id = any(${idList(ids)}::uuid[]) and d.mode = 'real' order by d.id for update of d`.execute(trx);
  return rows.map((row) => ({
    id: row.id as DeploymentId,
    userId: row.user_id as UserId,
    connectionId: row.broker_connection_id as BrokerConnectionId,
    strategyName: row.strategy_name,
    isOwnStrategy: row.is_own_strategy,
    feePeriod: row.fee_period as FeePeriodLength,
    billedThrough: row.billed_through && parseInstant(row.billed_through),
    deployedAt: parseInstant(row.deployed_at),
    endedAt: row.ended_at && parseInstant(row.ended_at),
    hasEstimates: row.has_estimates,
  }));
}

export type CutOff = { readonly id: DeploymentId; readonly end: Instant; readonly isClosing: boolean };

type FrozenFigures = FeeFigures & {
  readonly id: DeploymentId;
  /** The number of the bill they belong to. */
  readonly number: number;
  readonly ledgerThrough: string;
  /** The valuation behind `worth`; null for a closing bill, and when there was none. */
  readonly valuation: { readonly at: Instant; readonly cash: Micro; readonly held: unknown } | null;
};

/** Ledger and valuations as of each cut-off. The caller holds the rows. */
export async function freezeFeeFigures(
  trx: Transaction<Tables>,
  cutOffs: readonly CutOff[],
): Promise<FrozenFigures[]> {
  const { rows } = await sql<FiguresRow>`
    select due.id, coalesce(last.number, 0) + 1 as number, books.through,
      coalesce(last.high_water_after_micro, d.high_water_mark_micro) as high_water,
      coalesce(last.capital_micro, d.high_water_mark_micro) as capital_before, books.capital, books.result,
      case when due.is_closing then null else coalesce(mark.equity_micro, books.capital) end as worth,
      case when not due.is_closing then mark.at end as worth_at, mark.cash_micro as worth_cash, mark.held as worth_held
    from unnest(${idList(cutOffs.map(({ id }) => id))}::uuid[], ${cutOffs.map(({ end }) => isoText(end))}::timestamptz[],
      ${cutOffs.map(({ isClosing }) => isClosing)}::boolean[]) as due (id, "end", is_closing)
    join deployments d on d.id = due.id
    left join lateral (
      select b.number, b.high_water_after_micro, b.capital_micro, b.period_end from fee_bills b
      where b.deployment_id = due.id order by b.number desc limit 1) last on true
    cross join lateral (
      select coalesce(max(e.id), 0) as through,
        coalesce(-sum(e.amount_micro) filter (where e.ledger_account = 'capital' and (due.is_closing or t.at < due."end")), 0)
          as capital,
        coalesce(-sum(e.amount_micro) filter (
          where e.ledger_account in ('realized', 'commission') and (due.is_closing or t.at < due."end")), 0) as result
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      where e.deployment_id = due.id) books
    left join lateral (
      select m.at, m.cash_micro, m.equity_micro, m.held from (
        (select at, cash_micro, equity_micro, held from equity_marks
         where deployment_id = due.id and at <= due."end" order by date desc limit 1)
        union all
        (select at, cash_micro, equity_micro, held from cut_off_marks
         where deployment_id = due.id and at <= due."end" order by at desc limit 1)) m
      order by m.at desc limit 1) mark on true
    order by due.id`.execute(trx);
  return rows.map((row) => ({
    id: row.id as DeploymentId,
    number: row.number,
    ledgerThrough: row.through,
    highWaterMark: parseMicro(row.high_water),
    capitalBefore: parseMicro(row.capital_before),
    capital: parseMicro(row.capital),
    settledResult: parseMicro(row.result),
    worth: row.worth === null ? null : parseMicro(row.worth),
    valuation: row.worth_at && {
      at: parseInstant(row.worth_at),
      cash: parseMicro(row.worth_cash!),
      held: row.worth_held,
    },
  }));
}

export type NewFeeBill = {
  readonly id: string;
  readonly figures: FrozenFigures;
  readonly bill: FeeBill;
  readonly feePercent: number;
  readonly start: Instant;
  readonly end: Instant;
  readonly isClosing: boolean;
  /** Commissions that the broker had not stated count with our estimates. */
  readonly hasEstimates: boolean;
  readonly dueAt: Instant;
};

/** Writes the bills, raises the marks, and books what is owed. A key refuses a second bill for one period. */
export async function insertFeeBills(trx: Transaction<Tables>, bills: readonly NewFeeBill[]): Promise<void> {
  if (bills.length === 0) return;
  await trx.insertInto('fee_bills').values(bills.map(rowOf)).execute();
  await sql`
    update deployments d set high_water_mark_micro = b.mark, billed_through = b.through, revision = d.revision + 1
    from unnest(${idList(bills.map(({ figures }) => figures.id))}::uuid[],
      ${bills.map(({ bill }) => String(bill.nextHighWaterMark))}::bigint[],
      ${bills.map(({ end }) => isoText(end))}::timestamptz[]) as b (id, mark, through)
    where d.id = b.id`.execute(trx);
  for (const { figures, bill, end } of bills) {
    if (bill.fee === 0) continue;
    await postTransaction(trx, {
      deploymentId: figures.id,
      kind: 'fee',
      cause: `fee:${figures.id}:${figures.number}`,
      at: end,
      entries: [
        { account: 'fees', amount: bill.fee },
        { account: 'payable', amount: -bill.fee as Micro },
      ],
    });
  }
}

function rowOf({ id, figures, bill, feePercent, start, end, isClosing, hasEstimates, dueAt }: NewFeeBill) {
  return {
    id,
    deployment_id: figures.id,
    number: figures.number,
    is_closing: isClosing,
    has_estimates: hasEstimates,
    period_start: isoText(start),
    period_end: isoText(end),
    ledger_through: figures.ledgerThrough,
    capital_micro: figures.capital,
    settled_result_micro: figures.settledResult,
    worth_micro: figures.worth,
    worth_at: figures.valuation && isoText(figures.valuation.at),
    worth_cash_micro: figures.valuation?.cash ?? null,
    worth_held: figures.valuation && JSON.stringify(figures.valuation.held),
    high_water_before_micro: figures.highWaterMark,
    net_flow_micro: bill.netFlow,
    adjusted_mark_micro: bill.adjustedMark,
    closing_value_micro: bill.closingValue,
    profit_micro: bill.profit,
    fee_percent: feePercent,
    fee_micro: bill.fee,
    high_water_after_micro: bill.nextHighWaterMark,
    due_at: isoText(dueAt),
  };
}

type BilledRow = {
  readonly id: string;
  readonly user_id: UserId;
  readonly broker_connection_id: BrokerConnectionId;
  readonly strategy_name: string;
  readonly is_own_strategy: boolean;
  readonly fee_period: string;
  readonly billed_through: Date | null;
  readonly deployed_at: Date;
  readonly ended_at: Date | null;
  readonly has_estimates: boolean;
};

type FiguresRow = {
  readonly id: string;
  readonly number: number;
  readonly through: string;
  readonly high_water: string;
  readonly capital_before: string;
  readonly capital: string;
  readonly result: string;
  readonly worth: string | null;
  readonly worth_at: Date | null;
  readonly worth_cash: string | null;
  readonly worth_held: unknown;
};
