// `npm run verify-audit`: recomputes the hash of every row of the audit log and holds it against the signed anchors, looks for anchors
// that are missing, and says what no anchor covers yet; then checks the seal of every agreement. Exits with 1 when something does not hold, with 2 when it could not look.
import { parseArgs } from 'node:util';
import { readAnchors } from './anchors/anchor-folder.ts';
import { verifyLog } from './anchors/verify-log.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { worldDatabase } from './database/world-database.ts';
import { commandEnvironment } from './environment/command-environment.ts';
import { verifySeals } from './keys/verify-seals.ts';
import { connectDocuments } from './wiring/connect-documents.ts';
import { knownKeys } from './environment/known-keys.ts';

const USAGE = `npm run verify-audit [-- --anchors FILE ...] [--accept ROW]
    --anchors: a file with anchors that were sent away, a line each
    --accept: rows up to this one that were anchored late, and that somebody has looked at`;

try {
  const { anchors, accept } = readArguments();
  const environment = await commandEnvironment();
  const { holds, lines } = await withCommandDatabase(
    environment,
    async ({ database }) => {
      const { dataDir } = environment;
      const log = await verifyLog({
        database,
        dataDir,
        keys: await knownKeys(environment, database).anchorKeys(),
        collected: anchors.map((file) => ({ name: file, anchors: readAnchors(file) })),
        acceptedRow: accept,
      });
      const seals = await verifySeals({ database, documents: connectDocuments(environment), dataDir });
      return { holds: log.holds && seals.holds, lines: [...log.lines, ...seals.lines] };
    },
    worldDatabase(environment),
  );
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exit(holds ? 0 : 1);
} catch (error) {
  process.stderr.write(
    `verify-audit could not run: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(2);
}

function readArguments(): { readonly anchors: readonly string[]; readonly accept: number } {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { anchors: { type: 'string', multiple: true }, accept: { type: 'string' } },
  });
  const accept = Number(values.accept ?? 0);
  if (!Number.isSafeInteger(accept) || accept < 0)
    throw new Error(`--accept must be the number of a row\n${USAGE}`);
  return { anchors: values.anchors ?? [], accept };
}
