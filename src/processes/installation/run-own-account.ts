// Connects the account of the keys that the product was started with, for the one person who runs it. `npm start` runs it.
import { accountNumber } from '#units/account-of-vendor.ts';
import { withCommandDatabase } from '../database/command-database.ts';
import { worldDatabase } from '../database/world-database.ts';
import { readEnvironment } from '../environment/environment.ts';
import { knownKeys } from '../environment/known-keys.ts';
import { onStopSignal } from '../environment/stop-signals.ts';
import { connectOwnAccount } from './connect-own-account.ts';
import { INSTALLATION } from './installation.ts';
import { OWNER_EMAIL, ownerPasswordFile } from './owner.ts';
import { wirePorts } from '../wiring/wire-trader.ts';

export async function runOwnAccount(): Promise<void> {
  onStopSignal(async () => process.exit(1));

  try {
    const environment = readEnvironment(process.env, 'installation');
    const passwordFile = ownerPasswordFile(environment.dataDir);
    const accountId = await withCommandDatabase(
      environment,
      async (handle) => {
        const { brokers } = await wirePorts(environment, { handle, world: INSTALLATION, role: 'command' });
        const broker = brokers.find(({ linksAccounts }) => linksAccounts === 'operator');
        if (broker === undefined) throw new Error('no broker of BROKER trades an account by its keys alone');
        const keys = await knownKeys(environment, handle.database).keyring();
        const takesRealMoney = environment.live?.takesRealMoney === true;
        return connectOwnAccount({
          database: handle.database,
          broker,
          keys,
          passwordFile,
          takesRealMoney,
        });
      },
      worldDatabase(environment),
    );
    process.stdout.write(
      `Your account ${accountNumber(accountId)} is connected. Sign in as ${OWNER_EMAIL}.\n`,
    );
    process.exit(0);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`your account could not be connected: ${reason}\n`);
    process.exit(1);
  }
}
