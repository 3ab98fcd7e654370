// `npm run demo`: creates the demo account next to the running product: an investor with deployments and six weeks of
// history, at the sandbox brokerage. `npm start` runs it when BROKER is sandbox.
import { brokerOf } from '#ports/brokers.ts';
import { createTrader } from '#trader/trader.ts';
import { withCommandDatabase } from '../database/command-database.ts';
import { worldDatabase } from '../database/world-database.ts';
import type { Environment } from '../environment/environment.ts';
import { knownKeys } from '../environment/known-keys.ts';
import { onStopSignal } from '../environment/stop-signals.ts';
import { makeDemoAccount } from './demo-account/demo-account.ts';
import { makeDemoUser } from './demo-account/demo-user.ts';
import { linkDemoAccount } from './demo-account/link-demo-account.ts';
import { required } from '../wiring/required.ts';
import { DEMO_WORLD } from './demo-world.ts';
import { runningEnvironment } from './running-environment.ts';
import { wireTrader } from '../wiring/wire-trader.ts';

export async function runDemo(): Promise<void> {
  onStopSignal(async () => process.exit(1));

  try {
    const environment = runningEnvironment();
    const sandbox = environment.brokers.find(({ choice }) => choice === 'sandbox');
    if (sandbox === undefined)
      throw new Error(
        `it invests at the sandbox brokerage, and BROKER is ${environment.brokers.map(({ choice }) => choice).join(',')}. Run it with BROKER=sandbox.`,
      );
    await makeDemo(environment, sandbox.vendor);
    process.exit(0);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`the demo account could not be made: ${reason}\n`);
    process.exit(1);
  }
}

async function makeDemo(environment: Environment, vendor: string): Promise<void> {
  await withCommandDatabase(
    environment,
    async (handle) => {
      const dependencies = await wireTrader(environment, handle, DEMO_WORLD);
      const { brokers, marketData } = dependencies;
      const broker = brokerOf(brokers, vendor);
      const trader = createTrader(dependencies);
      const keys = await knownKeys(environment, handle.database).keyring();
      const stopAnswering = trader.answer();
      const link = { database: handle.database, broker, keys };
      try {
        await makeDemoUser(handle.database);
        await makeDemoAccount({
          baseUrl: `http://127.0.0.1:${environment.port}`,
          marketData,
          marketFeedUrl: required('MARKET_FEED_URL', environment.marketFeedUrl),
          trader,
          say: (line) => process.stdout.write(`${line}\n`),
          ...(broker.linksAccounts && { linkAccount: (email: string) => linkDemoAccount(email, link) }),
        });
      } finally {
        await stopAnswering();
        await trader.close();
      }
    },
    worldDatabase(environment),
  );
}
