// `npm start`: everything on one machine. Database, sandbox, api, trader and worker come up in this order; the catalogue, and
// with the sandbox broker the demo account, are made on the first start; and all stop together.
import path from 'node:path';
import { lockDataDir } from './start/data-lock.ts';
import { startDatabase } from './database/embedded-postgres.ts';
import {
  type Environment,
  hasSandboxBroker,
  readEnvironment,
  tradesOwnAccount,
} from './environment/environment.ts';
import { firstFreePort, portRefusal } from './start/free-port.ts';
import { type Role, startRole } from './start/role.ts';
import { noteSandboxPort } from './start/sandbox-port.ts';
import { sandboxVariables } from './wiring/sandbox-variables.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from './seed/demo-user.ts';
import { OWNER_EMAIL, ownerPasswordFile } from './seed/owner.ts';
import { startCommand } from './start/start-command.ts';
import { onStopSignal } from './environment/stop-signals.ts';
import { worldDatabase } from './database/world-database.ts';

// Compiled modules without types: a role that finds all its modules here starts faster and does not need to load the
// compiler.
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../../node_modules/.cache/compiled');

const say = (line: string) => process.stdout.write(`${line}\n`);
const warn = (line: string) => process.stderr.write(`${line}\n`);

/** What has been started, in order; stopped in the opposite order. */
const started: { stop(): Promise<void>; expectEnd?(): void }[] = [];
const stopAll = async () => {
  for (const part of started) part.expectEnd?.();
  for (const part of started.splice(0).toReversed()) await part.stop();
};

let stopping = false;
onStopSignal(async (reason) => {
  stopping = true;
  if (reason === 'SIGINT') say('\nStopping…');
  await stopAll();
});

try {
  await start(readEnvironment());
} catch (error) {
  // A start that is stopped half-way fails at its current step; the stop ends the process.
  if (!stopping) {
    warn(`\nBellwether could not start: ${error instanceof Error ? error.message : String(error)}`);
    await stopAll();
    process.exit(1);
  }
}

async function start(environment: Environment): Promise<void> {
  await refuseTakenPort(environment);
  const others = environment.brokers.filter(({ choice }) => choice !== 'sandbox');
  if (others.length > 0) {
    // What another broker needs is named before anything is started.
    const { connectBrokers } = await import('./wiring/connect-brokers.ts');
    await connectBrokers({ brokers: others }, { instruments: [], role: 'command' });
  }
  const lock = lockDataDir(environment.dataDir);
  started.push({ stop: async () => lock.release() });

  const url = await database(environment);
  Object.assign(process.env, await sandbox(environment), { DATABASE_URL: url });
  const { publicUrl, brokers, dataDir, marketFeedUrl, live } = readEnvironment();
  await refuseOtherClocks(environment, marketFeedUrl ?? '');
  await command('catalogue', environment);
  started.push(await role('api'));
  const hasDemo = hasSandboxBroker({ brokers });
  say(`The marketplace is open at ${publicUrl}${hasDemo ? '; preparing the demo account…' : '.'}`);
  if (hasDemo) await command('demo', environment);
  const hasOwnAccount = tradesOwnAccount({ brokers });
  if (hasOwnAccount) await command('own-account', environment);
  started.push(await role('trader'));
  started.push(await role('worker'));

  say('');
  say(`Bellwether is ready at ${publicUrl}`);
  if (hasDemo) say(`Demo sign-in: ${DEMO_EMAIL} password ${DEMO_PASSWORD}`);
  if (hasOwnAccount) say(`Sign in as ${OWNER_EMAIL}; the first password is in ${ownerPasswordFile(dataDir)}`);
  for (const { choice, baseUrl, alpaca } of brokers)
    if (choice !== 'sandbox' && alpaca.keys === null)
      say(`Trading through ${choice} at ${baseUrl}. Register to connect an account there.`);
  if (live?.takesRealMoney === true) say('REAL_MONEY is yes: orders spend real money.');
  say('Stop with Ctrl-C.');
}

/** A broker that trades on the market's prices lives in the market's time; our own sandbox brokerage does. */
async function refuseOtherClocks({ market, brokers }: Environment, marketFeedUrl: string): Promise<void> {
  if (market === 'live') return;
  const { refuseOtherClock } = await import('./start/refuse-other-clock.ts');
  for (const { prefix, baseUrl } of brokers)
    if (baseUrl !== null)
      await refuseOtherClock({ name: `${prefix}_BASE_URL`, brokerUrl: baseUrl, marketFeedUrl });
}

/** It finds the embedded database by the data folder, and names that folder when it refuses the schema there. */
async function command(
  name: 'catalogue' | 'demo' | 'own-account',
  { databaseUrl }: Environment,
): Promise<void> {
  const running = startCommand(name, { DATABASE_URL: databaseUrl ?? '' });
  started.push(running);
  await running.done;
}

async function refuseTakenPort({ port, host }: Environment): Promise<void> {
  const refusal = await portRefusal(port, host);
  if (refusal === 'taken')
    throw new Error(`port ${port} is taken by another program. Choose another: PORT=${port + 1} npm start`);
  if (refusal === 'forbidden')
    throw new Error(
      `this account may not listen on port ${port}. Choose one above 1023: PORT=3000 npm start`,
    );
}

/** The current market's database. It also holds imported bars, except for a replay, which has its own database. */
async function database(environment: Environment): Promise<string> {
  if (environment.databaseUrl !== null) return environment.databaseUrl;
  say('Starting the database…');
  const server = await startDatabase(environment.dataDir);
  started.push(server);
  return server.openOther(worldDatabase(environment));
}

/** Starts the sandbox and returns the variables that let the other roles reach it; the live market has none. */
async function sandbox(environment: Environment): Promise<Record<string, string>> {
  if (environment.market === 'live') return {};
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
    const { withCommandDatabase } = await import('./database/command-database.ts');
    const { exportTape } = await import('./start/export-tape.ts');
    await withCommandDatabase(environment, ({ database: imports }) => exportTape(imports, tape));
  }
  say('Starting the sandbox market and brokerage…');
  const entry = path.resolve(import.meta.dirname, '../../sandbox/start.ts');
  started.push(
    await startRole({
      name: 'sandbox',
      entry,
      environment: variables,
      readyLine: /listening/,
      onDeath: warn,
    }),
  );
  noteSandboxPort(environment.dataDir, port);
  return { ...variables, ...sandboxVariables(environment, port) };
}

function role(name: 'api' | 'trader' | 'worker'): Promise<Role> {
  const entry = path.join(import.meta.dirname, `${name}.ts`);
  return startRole({ name, entry, environment: {}, readyLine: /serving/, onDeath: warn });
}
