// The records as they were at a moment, while the world outside goes on: what a restore from a backup leaves.
import type { TestDatabase } from './test-database.ts';

/** Remembers every row of now; the answer puts them back. */
export async function rememberRows({ owner }: Pick<TestDatabase, 'owner'>): Promise<() => Promise<void>> {
  const { rows: tables } = await owner.query<{ name: string; columns: string }>(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%' group by 1`);
  await owner.query('create schema kept');
  for (const { name } of tables) await owner.query(`create table kept.${name} as table public.${name}`);
  return async () => {
    const client = await owner.connect();
    // Neither triggers nor references are looked at: the rows are as PostgreSQL had them.
    await client.query(`begin; set local session_replication_role = replica`);
    for (const { name, columns } of tables)
      await client.query(`delete from public.${name};
        insert into public.${name} (${columns}) overriding system value select ${columns} from kept.${name}`);
    await client.query('commit');
    client.release();
  };
}
