// `npm run keys`: shows and rotates the keys of the product.
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { listWorlds } from '#records/keys/keyring-rows.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { worldDatabase } from './database/world-database.ts';
import { commandEnvironment } from './environment/command-environment.ts';
import { keyManagement } from './environment/known-keys.ts';
import { KEYS_USAGE, type KeysCommand, parseKeysCommand, runKeysCommand } from './keys/keys-command.ts';

const command = parseKeysCommand(process.argv.slice(2));
if (command === null) {
  process.stderr.write(`${KEYS_USAGE}\n`);
  process.exit(2);
}
try {
  await run(command);
  process.exit(0);
} catch (error) {
  process.stderr.write(`keys: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function run(command: KeysCommand): Promise<void> {
  const environment = await commandEnvironment();
  await withCommandDatabase(
    environment,
    async (handle) => {
      const others = command === 'rotate-root' ? await openOtherWorlds(handle) : [];
      try {
        await runKeysCommand(command, {
          database: handle.database,
          otherWorlds: others.map(({ database }) => database),
          management: keyManagement(environment),
          dataDir: environment.dataDir,
          say: (line) => process.stdout.write(`${line}\n`),
          wait: sleep,
        });
      } finally {
        for (const other of others) await other.close();
      }
    },
    worldDatabase(environment),
  );
}

/** The simulated, replayed and live worlds of one server may share a root key. */
async function openOtherWorlds({ database, pool }: DatabaseHandle): Promise<readonly DatabaseHandle[]> {
  const names = await listWorlds(database);
  const url = pool.options.connectionString;
  if (url === undefined) throw new Error('the database has no address');
  return names.map((name) => {
    const other = new URL(url);
    other.pathname = `/${name}`;
    return openDatabase(other.href, { poolSize: 2, onIdleError: () => undefined });
  });
}
