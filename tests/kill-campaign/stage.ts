// Everything that a campaign plays on: PostgreSQL, the sandbox market and brokerage as processes, people with
// deployments, and trader processes that can be killed, stopped and replaced.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Instrument } from '../../src/engine/market/instrument.ts';
import { sandboxFeed } from '../../src/adapters/market-data/sandbox/sandbox-feed.ts';
import type { Broker, BrokerCredentials } from '../../src/ports/broker.ts';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import type { Instant } from '../../src/units/instant.ts';
import { sandboxAdapter, signInAt } from '../support/sandbox-adapter.ts';
import { insertDeployment, insertPerson, insertStrategy, type Rows } from '../support/trading-rows.ts';
import { RESTLESS } from './strategies.ts';

/** What a trader process reads. */
export type StageFile = {
  readonly address: string;
  readonly keys: string;
  readonly instruments: readonly Instrument[];
  readonly databaseUrl: string;
  readonly credentials: Readonly<Record<string, BrokerCredentials>>;
};

export type Stage = {
  /** As the owner, who may add triggers. */
  readonly ownerUrl: string;
  readonly records: DatabaseHandle;
  readonly databaseUrl: string;
  readonly auditor: {
    readonly broker: Broker;
    readonly credentialsOf: (connection: string) => BrokerCredentials;
  };
  readonly traders: ChildProcess[];
  /** Starts one more trader; when it dies another takes its place at once. */
  addTrader(): void;
  /** What goes wrong at the brokerage from now on. */
  setFaults(rules: readonly object[]): Promise<void>;
  close(): Promise<void>;
};

type StageOptions = {
  readonly people?: number;
  readonly daySeconds?: number;
  readonly newId?: () => string;
  /** Starts a trader on the stage that this file describes. */
  readonly spawnTrader?: (stageFile: string) => ChildProcess;
};

const PEOPLE = 6;
/** Real seconds per market day; each day has a bar, and most have orders. */
const DAY_SECONDS = 4;

export async function openStage({
  people = PEOPLE,
  daySeconds = DAY_SECONDS,
  newId = randomUUID,
  spawnTrader = spawnTradingProcess,
}: StageOptions = {}): Promise<Stage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-campaign-'));
  const server = await startDatabase(path.join(folder, 'data'));
  await migrateAsOwner(server.ownerUrl);
  const records = openDatabase(server.url, { onIdleError: () => undefined });
  const sandbox = await startSandbox(folder, daySeconds);
  const keys = path.join(folder, 'sandbox', 'consumer');
  const listed = await sandboxFeed(sandbox.address).instruments();
  if (!listed.ok) throw new Error(listed.message);
  const instruments = listed.value;
  await saveInstruments(records.database, instruments, 'sandbox');
  const broker = sandboxAdapter({ address: sandbox.address, keys, instruments });
  const rows = { ...records, newId, now: await marketNow(sandbox.address) };
  const credentials = await fillStage(rows, broker, people);
  const file: StageFile = {
    address: sandbox.address,
    keys,
    instruments,
    databaseUrl: server.url,
    credentials,
  };
  const stageFile = path.join(folder, 'stage.json');
  writeFileSync(stageFile, JSON.stringify(file), { mode: 0o600 });
  const traders: ChildProcess[] = [];
  let isOver = false;
  return {
    records,
    databaseUrl: server.url,
    ownerUrl: server.ownerUrl,
    auditor: { broker, credentialsOf: (connection) => credentials[connection]! },
    traders,
    addTrader: () => {
      startTrader(
        () => spawnTrader(stageFile),
        traders,
        () => isOver,
      );
    },
    async setFaults(rules) {
      const body = JSON.stringify({ seed: 1, rules });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${sandbox.address}/sandbox/faults`, { method: 'POST', body, headers });
      if (!answer.ok) throw new Error(await answer.text());
    },
    async close() {
      isOver = true;
      for (const child of traders) child.kill('SIGKILL');
      sandbox.process.kill('SIGKILL');
      await records.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
      rmSync(server.home, { recursive: true, force: true });
    },
  };
}

function startTrader(start: () => ChildProcess, traders: ChildProcess[], isOver: () => boolean): void {
  const child = start();
  traders.push(child);
  child.once('exit', () => {
    traders.splice(traders.indexOf(child), 1);
    if (!isOver()) startTrader(start, traders, isOver);
  });
}

function spawnTradingProcess(stageFile: string): ChildProcess {
  const entry = path.join(import.meta.dirname, 'trader-process.ts');
  const env = { ...process.env, STAGE: stageFile };
  return spawn(process.execPath, [entry], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** People with two deployments each in one account, that hold the same coins at opposite times. */
async function fillStage(
  rows: Rows,
  broker: Broker,
  people: number,
): Promise<Record<string, BrokerCredentials>> {
  const versions: string[] = [];
  for (const definition of RESTLESS) versions.push(await insertStrategy(rows, definition));
  const credentials: Record<string, BrokerCredentials> = {};
  for (let i = 0; i < people; i++) {
    const granted = await signInAt(broker, `campaign-${i}`);
    const person = await insertPerson(rows, { account: granted.accountId });
    credentials[person.connection] = granted.credentials;
    for (const version of versions)
      await insertDeployment(rows, version, { person, investment: 10_000, maxAllocation: 50 });
  }
  return credentials;
}

async function marketNow(address: string): Promise<() => Instant> {
  const clock = await sandboxFeed(address).clock();
  if (!clock.ok) throw new Error(clock.message);
  return () => clock.value.now;
}

async function startSandbox(
  folder: string,
  daySeconds: number,
): Promise<{ process: ChildProcess; address: string }> {
  const entry = path.resolve(import.meta.dirname, '../../sandbox/start.ts');
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, DATA_DIR: folder, SANDBOX_PORT: '0', SANDBOX_DAY_SECONDS: String(daySeconds) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('exit', () => reject(new Error('the sandbox ended before it listened')));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const address = /listening on (\S+?),/.exec(said)?.[1];
    if (address !== undefined) resolve(address);
  });
  return { process: child, address: await promise };
}
