// `npm run tables`: writes src/records/tables.ts from the schema, migrated into a throw-away database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { migrate } from '#records/postgres/migrate.ts';
import { tableTypes } from './table-types.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-tables-'));
const server = await startDatabase(folder);
try {
  const handle = openDatabase(server.ownerUrl);
  await migrate(handle.database);
  writeFileSync(path.resolve(import.meta.dirname, '../src/records/tables.ts'), await tableTypes(handle.pool));
  await handle.close();
} finally {
  await server.stop();
  for (const place of [folder, server.home]) rmSync(place, { recursive: true, force: true });
}
