// `npm run verify-audit`: recomputes the hash of every row of the audit log and compares it with the anchors outside the
// database, and looks for anchors that are missing. Exits with 1 and names the first broken row, with 2 when it could not look.
import { checkAuditChain, databaseName, findUnanchored } from '#records/operations/audit-log.ts';
import { readAnchors } from './audit-anchors.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { readEnvironment } from './environment/environment.ts';
import { worldDatabase } from './database/world-database.ts';

try {
  const environment = readEnvironment();
  const { rows, broken, anchors, unanchored } = await withCommandDatabase(
    environment,
    async ({ database }) => {
      const known = readAnchors(environment.dataDir, await databaseName(database));
      return {
        ...(await checkAuditChain(database, known)),
        anchors: known.length,
        unanchored: await findUnanchored(database, known),
      };
    },
    worldDatabase(environment),
  );
  if (broken === null && unanchored !== null)
    process.stdout.write(
      `Nothing outside the database vouches for the audit log from row ${unanchored.seq} of ${unanchored.at} on: anchors were ` +
        'removed, or no trader has run since. Put DATA_DIR/audit-anchors back from its copy, or start the product.\n',
    );
  else if (broken === null)
    process.stdout.write(`The audit log is intact: ${rows} rows, ${anchors} anchors.\n`);
  else process.stdout.write(`The audit log is broken after ${rows} good rows: ${broken}.\n`);
  process.exit(broken === null && unanchored === null ? 0 : 1);
} catch (error) {
  process.stderr.write(
    `verify-audit could not run: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(2);
}
