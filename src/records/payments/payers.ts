import type { Kysely } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

/** Who a person is at a vendor of payments. */
export function payerStore(database: Kysely<Tables>, vendor: string) {
  const find = async (userId: UserId): Promise<string | undefined> => {
    const row = await database
      .selectFrom('payers')
      .select('customer')
      .where('user_id', '=', userId)
      .where('vendor', '=', vendor)
      .executeTakeFirst();
    return row?.customer;
  };
  return {
    find,
    /** The one that is kept, which may be an earlier one. */
    keep: async (userId: UserId, customer: string): Promise<string> => {
      await database
        .insertInto('payers')
        .values({ user_id: userId, vendor, customer })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await find(userId)) ?? customer;
    },
    remove: async (userId: UserId): Promise<void> => {
      await database
        .deleteFrom('payers')
        .where('user_id', '=', userId)
        .where('vendor', '=', vendor)
        .execute();
    },
  };
}

/** Of closed accounts, whom the vendor still knows. */
export async function listClosedPayers(
  database: Kysely<Tables>,
  { vendor, limit }: { readonly vendor: string; readonly limit: number },
): Promise<readonly UserId[]> {
  const rows = await database
    .selectFrom('payers as p')
    .innerJoin('closed_accounts as c', 'c.user_id', 'p.user_id')
    .select('p.user_id')
    .where('p.vendor', '=', vendor)
    .orderBy('c.closed_at')
    .limit(limit)
    .execute();
  return rows.map(({ user_id: userId }) => userId);
}
