// The process that migrates the database and creates the catalogue and the demo account. `npm start` runs it and waits
// for it to end, which frees the memory for years of prices. It sends its parent two messages: that the catalogue
// exists, and why it failed. The parent sends it one: that the API is serving.
import { once } from 'node:events';
import { openDatabase } from '#records/postgres/database.ts';
import { migrate } from '#records/postgres/migrate.ts';
import { createTrader } from '#trader/trader.ts';
import { readEnvironment } from '../environment/environment.ts';
import { openKey } from '../environment/keys.ts';
import { wireTrader } from '../wiring/wire-trader.ts';
import { makeDemoAccount } from './demo-account.ts';
import { linkDemoAccount } from './link-demo-account.ts';
import { seedCatalogue } from './seed-catalogue.ts';
import type { FromSeed } from './seed-process.ts';

const tell = (message: FromSeed) => process.send?.(message);
const say = (line: string) => process.stdout.write(`${line}\n`);
/** Its parent is gone. */
process.once('disconnect', () => process.exit(1));

try {
  await seed();
} catch (error) {
  tell({ failure: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
process.removeAllListeners('disconnect');
process.disconnect?.();

async function seed(): Promise<void> {
  const settings = readEnvironment();
  const handle = openDatabase(settings.databaseUrl ?? '', { onIdleError: () => undefined });
  await migrate(handle.database, process.argv[2]);
  const dependencies = await wireTrader(settings, handle);
  const { broker, marketData, models } = dependencies;
  const trader = createTrader(dependencies);
  let stopAnswering = async () => undefined as void;
  try {
    await seedCatalogue({ handle, vendor: broker.vendor, models, marketData, trader, say });
    tell('catalogue');
    await once(process, 'message');
    stopAnswering = trader.answer();
    await makeDemoAccount({
      baseUrl: `http://127.0.0.1:${settings.port}`,
      marketData,
      marketFeedUrl: settings.marketFeedUrl ?? '',
      trader,
      say,
      ...(broker.linksAccounts && {
        linkAccount: (email: string) =>
          linkDemoAccount(email, {
            database: handle.database,
            broker,
            sealingKey: openKey(settings.keyEncryptionKeyFile),
          }),
      }),
    });
  } finally {
    await stopAnswering();
    await trader.close();
    await handle.close();
  }
}
