// Performance-fee bills as their owner reads them.
import { type Kysely, sql } from 'kysely';
import type { StatedBill } from '#rules/fees/fee-statement.ts';
import { type UnpaidStage, unpaidStage } from '#rules/fees/unpaid-fee.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro, subtract, ZERO_MICRO } from '#units/money.ts';
import { REFUND_REASON, REFUNDED } from '../postgres/refunded.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';

export type OwnFeeBill = StatedBill & {
  readonly id: string;
  readonly deploymentId: DeploymentId;
  readonly strategyName: string;
  readonly billedAt: Instant;
  readonly refunded: Micro;
  readonly refundReason: string | null;
  /** The last step that its not being paid has led to. */
  readonly unpaidStage: UnpaidStage | null;
};

type FeeBillQuery = {
  readonly userId: UserId;
  /** Null is every deployment. */
  readonly deploymentId: string | null;
  readonly limit: number;
};

/** Newest first. Empty for someone else's deployment. */
export async function listOwnFeeBills(
  database: Kysely<Tables>,
  { userId, deploymentId, limit }: FeeBillQuery,
): Promise<OwnFeeBill[]> {
  if (deploymentId !== null && !isUuid(deploymentId)) return [];
  const own = feeBills(database, userId);
  const asked = deploymentId === null ? own : own.where('b.deployment_id', '=', deploymentId as DeploymentId);
  const rows = await asked
    .orderBy('b.period_end', 'desc')
    .orderBy('b.deployment_id')
    .orderBy('b.number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(feeBillOf);
}

/** Undefined for an unknown bill and for someone else's. */
export async function findOwnFeeBill(
  database: Kysely<Tables>,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<OwnFeeBill | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await feeBills(database, userId).where('b.id', '=', id).executeTakeFirst();
  return row && feeBillOf(row);
}

function feeBills(database: Kysely<Tables>, userId: UserId) {
  return database
    .selectFrom('fee_bills as b')
    .innerJoin('deployments as d', 'd.id', 'b.deployment_id')
    .innerJoin('strategies as s', 's.id', 'd.strategy_id')
    .leftJoin('fee_payments as p', 'p.bill_id', 'b.id')
    .leftJoin('heartbeats as h', (join) => join.on('h.process', '=', 'trader'))
    .selectAll('b')
    .select(['p.paid_at', 'p.amount_micro as paid_micro', 'h.market_at'])
    .select('s.name as strategy_name')
    .select(
      sql<string>`(select coalesce(sum(c.credit_micro), 0)::text from fee_corrections c where c.bill_id = b.id)`.as(
        'credited',
      ),
    )
    .select([REFUNDED(sql.ref('b.id')).as('refunded'), REFUND_REASON(sql.ref('b.id')).as('refund_reason')])
    .where('d.user_id', '=', userId);
}

type Row = Awaited<ReturnType<ReturnType<typeof feeBills>['execute']>>[number];

function feeBillOf(row: Row): OwnFeeBill {
  const capital = parseMicro(row.capital_micro);
  const netFlow = parseMicro(row.net_flow_micro);
  const [fee, credited] = [parseMicro(row.fee_micro), parseMicro(row.credited)];
  const dueAt = parseInstant(row.due_at);
  const isOwed = row.paid_at === null && fee > credited;
  return {
    id: row.id,
    deploymentId: row.deployment_id,
    strategyName: row.strategy_name,
    number: row.number,
    isClosing: row.is_closing,
    periodStart: parseInstant(row.period_start),
    periodEnd: parseInstant(row.period_end),
    figures: {
      highWaterMark: parseMicro(row.high_water_before_micro),
      capitalBefore: subtract(capital, netFlow),
      capital,
      settledResult: parseMicro(row.settled_result_micro),
      worth: parseOptional(row.worth_micro),
    },
    bill: {
      netFlow,
      adjustedMark: parseMicro(row.adjusted_mark_micro),
      closingValue: parseMicro(row.closing_value_micro),
      profit: parseMicro(row.profit_micro),
      fee,
      nextHighWaterMark: parseMicro(row.high_water_after_micro),
    },
    hasEstimates: row.has_estimates,
    credited,
    feePercent: Number(row.fee_percent),
    dueAt,
    billedAt: parseInstant(row.billed_at),
    paidAt: row.paid_at && parseInstant(row.paid_at),
    refunded: parseMicro(row.refunded),
    refundReason: row.refund_reason,
    paid: row.paid_micro === null ? ZERO_MICRO : parseMicro(row.paid_micro),
    unpaidStage: isOwed && row.market_at !== null ? unpaidStage(dueAt, parseInstant(row.market_at)) : null,
  };
}

function parseOptional(text: string | null): Micro | null {
  return text === null ? null : parseMicro(text);
}
