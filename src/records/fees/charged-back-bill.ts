// A fee bill whose payment a bank took back, or gave back after all.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DeploymentId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type NamedBill = { readonly deploymentId: DeploymentId; readonly strategyName: string };

export async function getBillNames(database: Kysely<Tables>, billId: string): Promise<NamedBill> {
  return database
    .selectFrom('fee_bills as b')
    .innerJoin('deployments as d', 'd.id', 'b.deployment_id')
    .innerJoin('strategies as s', 's.id', 'd.strategy_id')
    .select(['d.id as deploymentId', 's.name as strategyName'])
    .where('b.id', '=', billId)
    .executeTakeFirstOrThrow();
}

/** What was paid of the bill beyond its fee, by charge, the newest first: paid again, and then the first payment came back. */
export async function listTwicePaid(
  trx: Transaction<Tables>,
  billId: string,
): Promise<readonly { readonly chargeId: string; readonly amount: Micro }[]> {
  const { rows } = await sql<{ id: string; fee: string; kept: string }>`
    select p.id, b.fee_micro::text as fee, (p.amount_micro
      - (select coalesce(sum(x.amount_micro), 0) from chargebacks x where x.charge_id = p.id)
      - (select coalesce(sum(r.amount_micro), 0) from refunds r where r.charge_id = p.id and r.status <> 'refused'))::text as kept
    from fee_payments p join fee_bills b on b.id = p.bill_id where b.id = ${billId}
    order by p.paid_at desc, p.id`.execute(trx);
  let tooMuch = rows.reduce((sum, { kept }) => sum + parseMicro(kept), 0) - Number(rows[0]?.fee ?? 0);
  return rows.flatMap(({ id, kept }) => {
    const amount = Math.max(0, Math.min(tooMuch, parseMicro(kept))) as Micro;
    tooMuch -= amount;
    return amount === 0 ? [] : [{ chargeId: id, amount }];
  });
}
