// The check values of the keys in files that this database was written with: the newest counts.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export type KeyCheck = {
  readonly name: string;
  readonly check: string;
  readonly notedAt: Date;
  /** Null of the one that counts. */
  readonly replacedAt: Date | null;
};

/** Null before the first process with a key of that name. */
export async function findKeyCheck(database: Kysely<Tables>, name: string): Promise<string | null> {
  const row = await database
    .selectFrom('key_checks')
    .select('check_value')
    .where('name', '=', name)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.check_value ?? null;
}

/** By name, newest first. */
export async function listKeyChecks(database: Kysely<Tables>): Promise<readonly KeyCheck[]> {
  const { rows } = await sql<KeyCheck>`
    select name, check_value as "check", noted_at as "notedAt",
      lead(noted_at) over (partition by name order by number) as "replacedAt"
    from key_checks order by name, number desc`.execute(database);
  return rows;
}

/** Returns the one that counts, this or an earlier one. */
export async function noteKeyCheck(database: Kysely<Tables>, name: string, check: string): Promise<string> {
  await database
    .insertInto('key_checks')
    .values({ name, number: 1, check_value: check })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findKeyCheck(database, name))!;
}

/** From now on `to` counts. False where `from` does not count any more. */
export async function replaceKeyCheck(
  trx: Kysely<Tables>,
  { name, from, to }: { readonly name: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into key_checks (name, number, check_value)
    select name, number + 1, ${to} from key_checks k where name = ${name} and check_value = ${from}
      and not exists (select from key_checks n where n.name = k.name and n.number > k.number)
    on conflict do nothing returning number`.execute(trx);
  return rows.length === 1;
}
