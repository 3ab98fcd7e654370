import type { DatabaseHandle } from '#records/postgres/database.ts';

/** Dollars, in the order in which they were booked. */
export async function readOwnChargebacks(
  { pool }: Pick<DatabaseHandle, 'pool'>,
  billId: string,
): Promise<readonly number[]> {
  const { rows } = await pool.query<{ dollars: number }>(
    `select x.amount_micro::float / 1000000 as dollars from chargebacks x join charges c on c.id = x.charge_id
     where c.bill_id = $1 order by x.at, x.number`,
    [billId],
  );
  return rows.map(({ dollars }) => dollars);
}
