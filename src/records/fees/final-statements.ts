// What became of the money of a deployment that has ended.
import { type Kysely, sql } from 'kysely';
import type { FinalStatement } from '#rules/fees/final-statement.ts';
import type { UserId } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';
import { CHARGED_BACK_OF_BILL, PAID_OF_BILL } from '../postgres/fee-dues.ts';

type Row = {
  readonly strategy: string;
  readonly status: string;
  readonly began: Date;
  readonly ended: Date;
  readonly paid_in: string;
  readonly paid_out: string;
  readonly realized: string;
  readonly commission: string;
  readonly trades: number;
  readonly fee: string;
  readonly credited: string;
  readonly paid: string;
  readonly is_billed: boolean;
};

/** Undefined for one that runs, for practice money, for an unknown one and for someone else's. */
export async function findFinalStatement(
  database: Kysely<Tables>,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<FinalStatement | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<Row>`
    select s.name as strategy, d.status, d.deployed_at as began, d.ended_at as ended, books.*, bills.*,
      (select count(*)::int from fills f where f.deployment_id = d.id) as trades,
      d.billed_through is not distinct from d.ended_at as is_billed
    from deployments d join strategies s on s.id = d.strategy_id
    cross join lateral (
      select coalesce(-sum(e.amount_micro) filter (where e.ledger_account = 'capital' and e.amount_micro < 0), 0)::text as paid_in,
        coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'capital' and e.amount_micro > 0), 0)::text as paid_out,
        coalesce(-sum(e.amount_micro) filter (where e.ledger_account = 'realized'), 0)::text as realized,
        coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'commission'), 0)::text as commission
      from ledger_entries e where e.deployment_id = d.id) books
    cross join lateral (
      select coalesce(sum(b.fee_micro), 0)::text as fee,
        (select coalesce(sum(c.credit_micro), 0)::text from fee_corrections c where c.deployment_id = d.id) as credited,
        coalesce(sum(${PAID_OF_BILL} - ${CHARGED_BACK_OF_BILL}), 0)::text as paid
      from fee_bills b where b.deployment_id = d.id) bills
    where d.id = ${id} and d.user_id = ${userId} and d.mode = 'real' and d.ended_at is not null`.execute(
    database,
  );
  const [row] = rows;
  return (
    row && {
      strategyName: row.strategy,
      began: parseInstant(row.began),
      ended: parseInstant(row.ended),
      paidIn: parseMicro(row.paid_in),
      paidOut: parseMicro(row.paid_out),
      realized: parseMicro(row.realized),
      commission: parseMicro(row.commission),
      trades: row.trades,
      fee: parseMicro(row.fee),
      credited: parseMicro(row.credited),
      paid: parseMicro(row.paid),
      isBilled: row.is_billed,
    }
  );
}
