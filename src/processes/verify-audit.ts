// `npm run verify-audit`: recomputes the hash of every row of the audit log and compares it with the anchors outside the
// database. Exits with 1 and names the first broken row, with 2 when it could not look.
import { checkAuditChain, databaseName } from '#records/operations/audit-log.ts';
import { readAnchors } from './audit-anchors.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { readEnvironment } from './environment/environment.ts';
import { worldDatabase } from './database/world-database.ts';

try {
  const environment = readEnvironment();
  const { rows, broken, anchors } = await withCommandDatabase(
    environment,
    async ({ database }) => {
      const known = readAnchors(environment.dataDir, await databaseName(database));
      return { ...(await checkAuditChain(database, known)), anchors: known.length };
    },
    worldDatabase(environment),
  );
  if (broken === null) process.stdout.write(`The audit log is intact: ${rows} rows, ${anchors} anchors.\n`);
  else process.stdout.write(`The audit log is broken after ${rows} good rows: ${broken}.\n`);
  process.exit(broken === null ? 0 : 1);
} catch (error) {
  process.stderr.write(
    `verify-audit could not run: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(2);
}
