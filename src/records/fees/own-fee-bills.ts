// Performance-fee bills as their owner reads them.
import { type Kysely, sql } from 'kysely';
import type { StatedBill } from '#rules/fees/fee-statement.ts';
import { type UnpaidStage, unpaidStage } from '#rules/fees/unpaid-fee.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro, subtract } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';
import {
  CHARGED_BACK_OF_BILL,
  CREDITED_OF_BILL,
  DUE_AT_OF_BILL,
  IS_UNPAID,
  PAID_OF_BILL,
} from '../postgres/fee-dues.ts';

export type OwnFeeBill = StatedBill & {
  readonly id: string;
  readonly deploymentId: DeploymentId;
  readonly strategyName: string;
  readonly billedAt: Instant;
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
    .leftJoin('heartbeats as h', (join) => join.on('h.process', '=', 'trader'))
    .selectAll('b')
    .select(['h.market_at', 's.name as strategy_name'])
    .select([
      sql<string>`${CREDITED_OF_BILL}::text`.as('credited'),
      sql<string>`${PAID_OF_BILL}::text`.as('paid'),
      sql<string>`${CHARGED_BACK_OF_BILL}::text`.as('charged_back'),
      sql<Date | null>`(select max(p.paid_at) from fee_payments p where p.bill_id = b.id)`.as('last_paid_at'),
      sql<Date | null>`(select max(x.at) from chargebacks x join charges c on c.id = x.charge_id
        where c.bill_id = b.id and x.amount_micro > 0)`.as('charged_back_at'),
      DUE_AT_OF_BILL.as('newest_due_at'),
      IS_UNPAID.as('is_unpaid'),
      sql<string>`(select coalesce(sum(r.amount_micro), 0)::text from refunds r join charges c on c.id = r.charge_id
        where c.bill_id = b.id and r.status <> 'refused')`.as('refunded'),
      sql<string | null>`(select string_agg(r.because, '; ' order by r.agreed_at, r.id) from refunds r
        join charges c on c.id = r.charge_id where c.bill_id = b.id and r.status <> 'refused')`.as(
        'refund_reason',
      ),
    ])
    .where('d.user_id', '=', userId);
}

type Row = Awaited<ReturnType<ReturnType<typeof feeBills>['execute']>>[number];

function feeBillOf(row: Row): OwnFeeBill {
  const capital = parseMicro(row.capital_micro);
  const netFlow = parseMicro(row.net_flow_micro);
  const [fee, credited] = [parseMicro(row.fee_micro), parseMicro(row.credited)];
  const dueAt = parseInstant(row.newest_due_at);
  const [paid, chargedBack] = [parseMicro(row.paid), parseMicro(row.charged_back)];
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
    paidAt: row.last_paid_at === null || row.is_unpaid ? null : parseInstant(row.last_paid_at),
    refunded: parseMicro(row.refunded),
    refundReason: row.refund_reason,
    paid: subtract(paid, chargedBack),
    chargedBack,
    chargedBackAt: chargedBack > 0 && row.charged_back_at !== null ? parseInstant(row.charged_back_at) : null,
    unpaidStage:
      row.is_unpaid && row.market_at !== null ? unpaidStage(dueAt, parseInstant(row.market_at)) : null,
  };
}

function parseOptional(text: string | null): Micro | null {
  return text === null ? null : parseMicro(text);
}
