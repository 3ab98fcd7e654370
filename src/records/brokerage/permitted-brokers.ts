// Which brokers the clients' permissions in this database are for. A permission of one broker is never shown to another.
import { sql } from 'kysely';
import { accountOfVendor } from '#units/account-of-vendor.ts';
import type { Database } from '../postgres/database.ts';

export type PermittedBrokers =
  | { readonly outcome: 'ok' }
  /** Permissions of a broker that was used before are still stored. */
  | { readonly outcome: 'refused'; readonly before: string; readonly permissions: number };

/** By vendor: where its broker is reached. */
type Places = { readonly [vendor: string]: string };

const KEY = 'brokers';

/** Accounts at brokers that an earlier version named by their number alone. */
export async function countUnnamedAccounts(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from broker_connections c join brokers b on b.id = c.broker_id
    where c.mode = 'real' and c.account_id is not null
      and not starts_with(c.account_id, b.slug || ${accountOfVendor('', '')}::text)`.execute(database);
  return rows[0]?.count ?? 0;
}

/** Takes these as the ones in use from now on, unless permissions for another one are stored. */
export async function permitBrokers(database: Database, places: Places): Promise<PermittedBrokers> {
  return database.transaction().execute(async (trx) => {
    await trx
      .insertInto('settings')
      .values({ key: KEY, value: JSON.stringify(places) })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    const settings = await sql<{ before: Places }>`
      select value as before from settings where key = ${KEY} for update`.execute(trx);
    const before = settings.rows[0]?.before ?? places;
    const { rows } = await sql<{ vendor: string; permissions: number }>`
      select b.slug as vendor, count(*)::int as permissions from broker_connections c
      join brokers b on b.id = c.broker_id where c.sealed_credentials is not null and c.mode = 'real'
      group by b.slug order by b.slug`.execute(trx);
    for (const { vendor, permissions } of rows) {
      const place = before[vendor] ?? vendor;
      if (places[vendor] !== place) return { outcome: 'refused', before: place, permissions };
    }
    await trx
      .updateTable('settings')
      .set({ value: JSON.stringify(places) })
      .where('key', '=', KEY)
      .execute();
    return { outcome: 'ok' };
  });
}
