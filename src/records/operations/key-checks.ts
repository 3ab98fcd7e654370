// The check values of the keys that this database was written with.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** Null before the first process with a key of that name. */
export async function findKeyCheck(database: Kysely<Tables>, name: string): Promise<string | null> {
  const row = await database
    .selectFrom('key_checks')
    .select('check_value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.check_value ?? null;
}

/** Returns the first one noted, this or an earlier one. */
export async function noteKeyCheck(database: Kysely<Tables>, name: string, check: string): Promise<string> {
  await database
    .insertInto('key_checks')
    .values({ name, check_value: check })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findKeyCheck(database, name))!;
}
