// After a restore the anchors of the audit log in the data folder are those that the restored database has: newer ones are of rows that
// are gone. What was sent away still shows that they were there.
import pg from 'pg';
import { parseAnchor } from '../anchors/anchor.ts';
import { anchorFolder } from '../anchors/anchor-folder.ts';
import { startDatabase } from '../database/embedded-postgres.ts';

export async function restoreAnchors(dataDir: string): Promise<void> {
  const server = await startDatabase(dataDir);
  try {
    for (const name of await namesOf(server.ownerUrl)) {
      const { ownerUrl } = await server.openOther(name);
      for (const line of await anchorLines(ownerUrl)) {
        const anchor = parseAnchor(line);
        if (anchor === null) throw new Error(`the database ${name} has an anchor that is none: ${line}`);
        anchorFolder(dataDir, name).append(anchor);
      }
    }
  } finally {
    await server.stop();
  }
}

const namesOf = (url: string) =>
  read<string>(url, `select datname as value from pg_database where datname like 'bellwether%' order by 1`);

async function anchorLines(url: string): Promise<readonly string[]> {
  const [has] = await read<boolean>(url, `select to_regclass('audit_anchors') is not null as value`);
  return has === true ? read<string>(url, `select line as value from audit_anchors order by number`) : [];
}

async function read<Value>(url: string, query: string): Promise<readonly Value[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<{ value: Value }>(query)).rows.map(({ value }) => value);
  } finally {
    await client.end();
  }
}
