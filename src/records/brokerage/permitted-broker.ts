// Which broker the clients' permissions in this database are for. A permission of one broker is never shown to another.
import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';

export type PermittedBroker =
  | { readonly outcome: 'ok' }
  /** Permissions of the broker that was used before are still stored. */
  | { readonly outcome: 'refused'; readonly before: string; readonly permissions: number };

const KEY = 'broker';

/** Takes `broker` as the one in use from now on, unless permissions for another one are stored. */
export async function permitBroker(database: Database, broker: string): Promise<PermittedBroker> {
  return database.transaction().execute(async (trx) => {
    await trx
      .insertInto('settings')
      .values({ key: KEY, value: JSON.stringify(broker) })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    const { rows } = await sql<{ before: string; permissions: number }>`
      select s.value #>> '{}' as before, (select count(*)::int from broker_connections c
        where c.sealed_credentials is not null) as permissions
      from settings s where s.key = ${KEY} for update of s`.execute(trx);
    const [{ before, permissions } = { before: broker, permissions: 0 }] = rows;
    if (before === broker) return { outcome: 'ok' };
    if (permissions > 0) return { outcome: 'refused', before, permissions };
    await trx
      .updateTable('settings')
      .set({ value: JSON.stringify(broker) })
      .where('key', '=', KEY)
      .execute();
    return { outcome: 'ok' };
  });
}
