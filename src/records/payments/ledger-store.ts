import { type Kysely, sql } from 'kysely';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

/** What the demo world recorded as paid and given back. */
export function ledgerStore(database: Kysely<Tables>) {
  const find = async (reference: string): Promise<{ readonly amount: Micro } | undefined> => {
    const row = await database
      .selectFrom('ledger_payments')
      .select('amount_micro')
      .where('reference', '=', reference)
      .executeTakeFirst();
    return row && { amount: parseMicro(row.amount_micro) };
  };
  return {
    find,
    record: async (reference: string, amount: Micro): Promise<{ readonly amount: Micro }> => {
      await database
        .insertInto('ledger_payments')
        .values({ reference, amount_micro: amount })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await find(reference)) ?? { amount };
    },
    refund: ({
      id,
      reference,
      amount,
    }: {
      readonly id: string;
      readonly reference: string;
      readonly amount: Micro;
    }): Promise<boolean> =>
      database.transaction().execute(async (trx) => {
        await sql`select from ledger_payments where reference = ${reference} for update`.execute(trx);
        const { rows } = await sql`
          insert into ledger_refunds (id, reference, amount_micro)
          select ${id}, p.reference, ${String(amount)}::bigint from ledger_payments p where p.reference = ${reference}
            and p.amount_micro >= ${String(amount)}::bigint + (select coalesce(sum(r.amount_micro), 0) from ledger_refunds r
              where r.reference = p.reference and r.id <> ${id})
          on conflict (id) do update set reference = excluded.reference returning id`.execute(trx);
        return rows.length === 1;
      }),
  };
}
