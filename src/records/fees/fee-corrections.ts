// Closing bills whose deployments were booked on afterwards, and what the later figures credit.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { FeeFigures } from '#rules/fees/fee-bill.ts';
import type { FeeCorrection } from '#rules/fees/fee-correction.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro, subtract } from '#units/money.ts';
import { idList } from '../postgres/id-list.ts';
import { IS_SETTLED } from '../postgres/settled.ts';
import { postTransaction } from '../portfolio/ledger.ts';
import type { Tables } from '../tables.ts';

/** Closed deployments whose result was booked on since their closing bill and its last correction. */
export async function listBillsToCorrect(
  database: Kysely<Tables>,
  { shards, limit }: { readonly shards: readonly number[]; readonly limit: number },
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select b.deployment_id as id from fee_bills b join deployments d on d.id = b.deployment_id
    where b.is_closing and ${IS_SETTLED} and shard_of(d.broker_connection_id) = any(${shards}::int[])
      and exists (select from ledger_entries e where e.deployment_id = b.deployment_id
        and e.ledger_account in ('realized', 'commission')
        and e.id > greatest(b.ledger_through, (select max(c.ledger_through) from fee_corrections c where c.bill_id = b.id)))
    order by b.deployment_id limit ${limit}`.execute(database);
  return rows.map(({ id }) => id);
}

export type BillToCorrect = {
  readonly billId: string;
  readonly deploymentId: DeploymentId;
  /** The number of the correction. */
  readonly number: number;
  readonly ledgerThrough: string;
  /** As of the bill, with the result as it is booked now. */
  readonly figures: FeeFigures;
  /** The fee less earlier credits. */
  readonly owed: Micro;
  /** False where the bill could not charge its client. */
  readonly isCharged: boolean;
};

/** The caller holds the rows of the deployments. */
export async function readBillsToCorrect(
  trx: Transaction<Tables>,
  ids: readonly DeploymentId[],
): Promise<readonly BillToCorrect[]> {
  const { rows } = await sql<ToCorrectRow>`
    select b.id as bill, b.deployment_id as deployment, count(c.id)::int + 1 as number, books.through,
      b.high_water_before_micro::text as high_water, b.capital_micro::text as capital, b.net_flow_micro::text as flow,
      books.result,
      b.fee_percent > 0 as charged, (b.fee_micro - coalesce(sum(c.credit_micro), 0))::text as owed
    from fee_bills b left join fee_corrections c on c.bill_id = b.id
    cross join lateral (
      select max(e.id)::text as through,
        coalesce(-sum(e.amount_micro) filter (where e.ledger_account in ('realized', 'commission')), 0)::text as result
      from ledger_entries e where e.deployment_id = b.deployment_id) books
    where b.is_closing and b.deployment_id = any(${idList(ids)}::uuid[])
    group by b.id, books.through, books.result order by b.deployment_id`.execute(trx);
  return rows.map((row) => {
    const capital = parseMicro(row.capital);
    return {
      billId: row.bill,
      deploymentId: row.deployment,
      number: row.number,
      ledgerThrough: row.through,
      figures: {
        highWaterMark: parseMicro(row.high_water),
        capitalBefore: subtract(capital, parseMicro(row.flow)),
        capital,
        settledResult: parseMicro(row.result),
        worth: null,
      },
      owed: parseMicro(row.owed),
      isCharged: row.charged,
    };
  });
}

/** Also one without a credit: what it has counted is not looked at again. */
export async function insertFeeCorrection(
  trx: Transaction<Tables>,
  { billId, deploymentId, number, ledgerThrough, figures }: BillToCorrect,
  { id, correction, at }: { readonly id: string; readonly correction: FeeCorrection; readonly at: Instant },
): Promise<void> {
  await trx
    .insertInto('fee_corrections')
    .values({
      id,
      bill_id: billId,
      deployment_id: deploymentId,
      number,
      ledger_through: ledgerThrough,
      settled_result_micro: figures.settledResult,
      closing_value_micro: correction.closingValue,
      profit_micro: correction.profit,
      fee_micro: correction.fee,
      credit_micro: correction.credit,
      at: isoText(at),
    })
    .execute();
  if (correction.credit === 0) return;
  await postTransaction(trx, {
    deploymentId,
    kind: 'fee',
    cause: `fee_credit:${deploymentId}:${number}`,
    at,
    entries: [
      { account: 'payable', amount: correction.credit },
      { account: 'fees', amount: -correction.credit as Micro },
    ],
  });
}

type ToCorrectRow = {
  readonly bill: string;
  readonly deployment: DeploymentId;
  readonly number: number;
  readonly through: string;
  readonly high_water: string;
  readonly capital: string;
  readonly flow: string;
  readonly result: string;
  readonly owed: string;
  readonly charged: boolean;
};
