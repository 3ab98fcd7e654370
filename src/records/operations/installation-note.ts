import { sql } from 'kysely';
import type { Installation } from '#rules/installation.ts';
import type { Database } from '../postgres/database.ts';

/** Notes whose records these are, once and for good; returns what was noted first. */
export async function noteInstallation(
  database: Database,
  installation: Installation,
): Promise<Installation> {
  await sql`insert into settings (key, value) values ('installation', ${JSON.stringify(installation)}::jsonb)
    on conflict (key) do nothing`.execute(database);
  const { rows } = await sql<{ noted: Installation }>`
    select value as noted from settings where key = 'installation'`.execute(database);
  return rows[0]!.noted;
}
