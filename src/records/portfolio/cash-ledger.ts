// Every movement of a deployment's cash, read from the ledger: a transaction is one movement.
import { sql } from 'kysely';
import type { Side } from '#engine/order/order.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Database } from '../postgres/database.ts';

export type CashEntryRow = {
  /** The first ledger entry of the transaction: rises with the bookings. */
  readonly place: number;
  readonly at: Date;
  /** What its cause begins with, such as 'fill', 'dividend' or 'swap_figure'. */
  readonly cause: string;
  readonly symbol: string | null;
  readonly cash: Micro;
  readonly commission: Micro;
  /** Owed to the provider by it; negative for a credit. */
  readonly billed: Micro;
  readonly balance: Micro;
  readonly fill: {
    readonly side: Side;
    readonly quantity: string;
    readonly price: number;
    readonly currency: string;
  } | null;
};

/** Newest first; `before` is the place of an entry, `limit` null reads all. */
export async function listCashEntries(
  database: Database,
  {
    deploymentId,
    before,
    limit,
  }: { deploymentId: DeploymentId; before: number | null; limit: number | null },
): Promise<readonly CashEntryRow[]> {
  const { rows } = await sql<{
    place: string;
    at: Date;
    cause: string;
    symbol: string | null;
    cash: string;
    commission: string;
    billed: string;
    balance: string;
    side: Side | null;
    quantity: string | null;
    price: number | null;
    currency: string | null;
  }>`
    with booked as (
      select t.kind, t.cause, t.at, min(e.id) as place,
        coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'cash'), 0) as cash,
        coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'commission'), 0) as commission,
        -coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'payable'), 0) as billed
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where t.deployment_id = ${deploymentId} group by t.id
    ),
    placed as (select *, sum(cash) over (order by place) as balance from booked),
    executed as (
      select f.account_id || ':' || f.execution_id as execution, f.symbol, f.side, f.quantity, f.price
      from fills f where f.deployment_id = ${deploymentId}
    )
    select p.place::text, p.at, split_part(p.cause, ':', 1) as cause,
      coalesce(x.symbol, case when p.kind in ('position_event', 'adjustment') then nullif(split_part(p.cause, ':', 3), '') end) as symbol,
      p.cash::text, p.commission::text, p.billed::text, p.balance::text,
      case when p.kind = 'fill' then x.side end as side, x.quantity::text, x.price::float8, i.currency
    from placed p
    left join executed x on x.execution = case p.kind
      when 'fill' then substring(p.cause from 6)
      when 'commission' then substring(p.cause from '^commission:(.*):[^:]*$') end
    left join instruments i on i.symbol = x.symbol
    where (p.cash <> 0 or p.billed <> 0) and (${before}::bigint is null or p.place < ${before})
    order by p.place desc limit ${limit}`.execute(database);
  return rows.map(({ side, quantity, price, currency, ...row }) => ({
    place: Number(row.place),
    at: row.at,
    cause: row.cause,
    symbol: row.symbol,
    cash: parseMicro(row.cash),
    commission: parseMicro(row.commission),
    billed: parseMicro(row.billed),
    balance: parseMicro(row.balance),
    fill:
      side === null || quantity === null || price === null
        ? null
        : { side, quantity, price, currency: currency ?? 'USD' },
  }));
}

/** Sums over the whole life, by what the causes begin with; commissions apart from what they were paid for. */
export async function sumCash(
  database: Database,
  deploymentId: DeploymentId,
): Promise<readonly { readonly cause: string; readonly amount: Micro }[]> {
  const { rows } = await sql<{ cause: string; amount: string }>`
    with booked as (
      select split_part(t.cause, ':', 1) as cause, e.ledger_account, e.amount_micro
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where t.deployment_id = ${deploymentId} and e.ledger_account in ('cash', 'commission')
    )
    select cause, sum(amount_micro)::text as amount from booked group by cause
    union all
    select 'commission', (-sum(amount_micro))::text from booked where ledger_account = 'commission'`.execute(
    database,
  );
  return rows
    .filter(({ amount }) => amount !== null)
    .map(({ cause, amount }) => ({ cause, amount: parseMicro(amount) }));
}
