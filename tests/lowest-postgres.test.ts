// The lowest version of PostgreSQL that a server of one's own may have: the schema is made there, and roles and commands work on it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { openRoleDatabase } from '#processes/database/role-database.ts';
import { startJobWorker } from '#records/jobs/job-worker.ts';
import { renewShards } from '#records/operations/trading-shards.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { readSchemaState } from '#records/postgres/schema-state.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';

const LOWEST = 15;
const PROGRAMS = `/usr/lib/postgresql/${LOWEST}`;

/** Debian's place for it; elsewhere the test says that it was skipped. */
test.skipIf(!existsSync(path.join(PROGRAMS, 'bin/initdb')))(
  `schema, roles, jobs and invariants work on PostgreSQL ${LOWEST} (skipped where ${PROGRAMS} is not installed)`,
  { timeout: 300_000 },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-lowest-'));
    const server = await startDatabase(folder, PROGRAMS);
    try {
      await migrateAsOwner(server.ownerUrl);
      // A second time changes nothing.
      await migrateAsOwner(server.ownerUrl);
      expect(await readSchemaState(server.url)).toMatchObject({ schema: 'current', version: LOWEST });
      const api = await openRoleDatabase(server.url, { asApi: true });
      const { rows } = await api.pool.query(
        'select current_user as name, current_schemas(false)::text as schemas',
      );
      expect(rows).toEqual([{ name: 'bellwether_api', schemas: '{own_rows,public}' }]);
      const { database, close } = await openRoleDatabase(server.url, {});
      const claimant = { id: '00000000-0000-4000-8000-000000000001', lockKey: '1', leaseMs: 1_000 };
      expect((await renewShards(database, claimant)).held).toHaveLength(65);
      const jobs = await startJobWorker({ database, onError: (error) => expect(error).toBeNull() });
      await jobs.stop();
      const verdicts = await checkInvariants(database, 'no broker');
      expect(verdicts.filter(({ violations }) => violations.length > 0)).toEqual([]);
      await Promise.all([api.close(), close()]);
    } finally {
      await server.stop();
      for (const place of [folder, server.home]) rmSync(place, { recursive: true, force: true });
    }
  },
);
