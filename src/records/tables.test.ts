import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tableTypes } from '../../scripts/table-types.ts';
import { testDatabase } from '../../tests/support/test-database.ts';

const { pool } = await testDatabase();

test('the types of the tables are those of the migrated schema: npm run tables writes them', async () => {
  const written = readFileSync(path.resolve(import.meta.dirname, 'tables.ts'), 'utf8');
  expect(written).toBe(await tableTypes(pool));
});

test('a closed list, an id, a default and a view come out as they are', async () => {
  const text = await tableTypes(pool);
  expect(text).toContain("  side: 'buy' | 'sell';");
  expect(text).toContain('  broker_connection_id: BrokerConnectionId;');
  expect(text).toContain("  status: Generated<'draft' | 'published' | 'retired'>;");
  expect(text).toContain('  number: GeneratedAlways<string>;');
  expect(text).toContain('type LiveDeploymentsTable = {\n  id: DeploymentId;');
});

test('a column of a type that nothing is known of is refused by name', async () => {
  await pool.query('alter table settings add column place point');
  await expect(tableTypes(pool)).rejects.toThrow('settings.place: no TypeScript type is known for point');
});
