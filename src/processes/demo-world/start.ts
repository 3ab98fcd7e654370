// `npm start`: the demonstration on one machine. Database, sandbox, api, trader and worker come up in this order; the catalogue
// and the demo account are made on the first start; and all stop together.
import path from 'node:path';
import { type Environment, hasSandboxBroker, readEnvironment } from '../environment/environment.ts';
import { isLoopback } from '../environment/loopback.ts';
import { firstFreePort } from '../start/free-port.ts';
import { refuseTakenPort, type Start, startProduct } from '../start/start-product.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from './demo-account/demo-user.ts';
import { noteSandboxPort } from './sandbox-port.ts';
import { sandboxVariables } from './sandbox-variables.ts';

export function startDemoWorld(main: string): Promise<void> {
  return startProduct(main, async (tools) => start(tools, readEnvironment(process.env, 'demo-world')));
}

async function start(tools: Start, environment: Environment): Promise<void> {
  const { say } = tools;
  await refuseTakenPort(environment);
  const others = environment.brokers.filter(({ choice }) => choice !== 'sandbox');
  if (others.length > 0) {
    // What another broker needs is named before anything is started.
    const { connectBrokers } = await import('../wiring/connect-brokers.ts');
    await connectBrokers({ brokers: others }, { instruments: [], role: 'command' });
  }
  tools.lock(environment);
  const url = await tools.database(environment);
  Object.assign(process.env, await sandbox(tools, environment), { DATABASE_URL: url });
  const { publicUrl, brokers, marketFeedUrl, host } = readEnvironment(process.env, 'demo-world');
  await refuseOtherClocks(environment, marketFeedUrl ?? '');
  await tools.command('catalogue', environment);
  await tools.role('api');
  const hasDemo = hasSandboxBroker({ brokers });
  say(`The marketplace is open at ${publicUrl}${hasDemo ? '; preparing the demo account…' : '.'}`);
  if (hasDemo) await tools.command('demo', environment);
  await tools.role('trader');
  await tools.role('worker');

  say('');
  say(`Bellwether is ready at ${publicUrl}`);
  if (hasDemo) say(`Demo sign-in: ${DEMO_EMAIL} password ${DEMO_PASSWORD}`);
  for (const { choice, baseUrl } of brokers)
    if (choice !== 'sandbox')
      say(`Trading through ${choice} at ${baseUrl}. Register to connect an account there.`);
  if (!isLoopback(host))
    say(`HOST is ${host}: other machines reach this demonstration, so its mailbox is closed.`);
  say('Stop with Ctrl-C.');
}

/** A broker that trades on the market's prices lives in the market's time; our own sandbox brokerage does. */
async function refuseOtherClocks({ brokers }: Environment, marketFeedUrl: string): Promise<void> {
  const { refuseOtherClock } = await import('./refuse-other-clock.ts');
  for (const { prefix, baseUrl } of brokers)
    if (baseUrl !== null)
      await refuseOtherClock({ name: `${prefix}_BASE_URL`, brokerUrl: baseUrl, marketFeedUrl });
}

/** Starts the sandbox and returns the variables that let the other roles reach it. */
async function sandbox(tools: Start, environment: Environment): Promise<Record<string, string>> {
  const port = environment.sandbox.port ?? (await firstFreePort(environment.port + 1, environment.host));
  const variables: Record<string, string> = {
    DATA_DIR: environment.dataDir,
    SANDBOX_PORT: String(port),
    SANDBOX_HOST: environment.host,
    MARKET: environment.market,
  };
  if (environment.market === 'replay') {
    const tape = path.join(environment.dataDir, 'sandbox', 'tape');
    variables.SANDBOX_TAPE = tape;
    // Loaded only for a replay: this process lives as long as the product.
    const { withCommandDatabase } = await import('../database/command-database.ts');
    const { exportTape } = await import('./export-tape.ts');
    await withCommandDatabase(environment, ({ database: imports }) => exportTape(imports, tape));
  }
  tools.say('Starting the sandbox market and brokerage…');
  const entry = path.resolve(import.meta.dirname, '../../../sandbox/start.ts');
  await tools.program('sandbox', entry, variables, /listening/);
  noteSandboxPort(environment.dataDir, port);
  return { ...variables, ...sandboxVariables(environment, port) };
}
