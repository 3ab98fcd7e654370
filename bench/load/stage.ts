// What a load is measured on: a database, the sandbox brokerage as a process that holds everybody to the vendor's pacing, and people
// with an account and deployments each.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { BrokerCredentials } from '#ports/broker.ts';
import type { MarketClock } from '#ports/market-data.ts';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { RESTLESS } from '../../tests/kill-campaign/strategies.ts';
import { SHARES } from '../../tests/support/paced-trading.ts';
import { sandboxAdapter, signInAt } from '../../tests/support/sandbox-adapter.ts';
import { punishHaste, startSandbox } from '../../tests/support/sandbox-process.ts';
import { ownerPool } from '../../tests/support/test-database.ts';
import { insertDeployment, insertPerson, insertStrategy } from '../../tests/support/trading-rows.ts';
import { parentOf } from './processes.ts';

/** What the processes of a stage read from the file that STAGE names. */
export type StageFile = {
  readonly databaseUrl: string;
  readonly address: string;
  readonly keys: string;
  readonly instruments: readonly Instrument[];
  /** By connection. */
  readonly credentials: Readonly<Record<string, BrokerCredentials>>;
  readonly screens: number;
};

export type Stage = {
  readonly folder: string;
  readonly file: StageFile;
  readonly handle: DatabaseHandle;
  /** The processes of the stand-in and of the database server. */
  readonly pids: { readonly sandbox: number; readonly database: number };
  clock(): Promise<MarketClock>;
  close(): Promise<void>;
};

export type StageSize = {
  readonly accounts: number;
  /** Shares and coins in turn. */
  readonly deploymentsEach: number;
  readonly daySeconds: number;
  readonly screens: number;
};

export async function openStage(size: StageSize): Promise<Stage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-load-'));
  const server = await startDatabase(folder);
  await migrateAsOwner(server.ownerUrl);
  const handle = openDatabase(server.url, { poolSize: 8 });
  // Nobody trades by hand beside the product.
  const sandbox = await startSandbox(folder, size.daySeconds, { SANDBOX_HABITS: 'off' });
  const { address } = sandbox;
  const keys = path.join(folder, 'sandbox', 'consumer');
  const feed = sandboxFeed(address);
  const instruments = valueOf(await feed.instruments());
  await saveInstruments(handle.database, instruments, 'sandbox');
  const credentials = await join(handle, size, {
    broker: sandboxAdapter({ address, keys, instruments }),
    now: valueOf(await feed.clock()).now,
  });
  const owner = ownerPool(server.ownerUrl);
  await owner.query('vacuum analyze');
  const { rows } = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  await owner.end();
  await punishHaste(address);
  const { screens } = size;
  return {
    folder,
    file: { databaseUrl: server.url, address, keys, instruments, credentials, screens },
    handle,
    pids: { sandbox: sandbox.process.pid!, database: parentOf(rows[0]!.pid) },
    clock: async () => valueOf(await feed.clock()),
    async close() {
      sandbox.process.kill('SIGKILL');
      await handle.close();
      await server.stop();
      for (const place of [folder, server.home]) rmSync(place, { recursive: true, force: true });
    },
  };
}

async function join(
  { database, pool }: DatabaseHandle,
  { accounts, deploymentsEach }: StageSize,
  { broker, now }: { readonly broker: ReturnType<typeof sandboxAdapter>; readonly now: MarketClock['now'] },
): Promise<Record<string, BrokerCredentials>> {
  const rows = { database, pool, newId: randomUUID, now: () => now };
  const versions: string[] = [];
  for (const definition of [SHARES, ...RESTLESS]) versions.push(await insertStrategy(rows, definition));
  const credentials: Record<string, BrokerCredentials> = {};
  const waiting = Array.from({ length: accounts }, (_, i) => i);
  const joinNext = async () => {
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) {
      const granted = await signInAt(broker, `load-${i}`);
      const person = await insertPerson(rows, { account: granted.accountId, broker: broker.vendor });
      credentials[person.connection] = granted.credentials;
      for (let n = 0; n < deploymentsEach; n++) {
        // Everybody follows the shares, and one of the two that trade coins.
        const version = versions[n === 0 ? 0 : 1 + ((i + n) % (versions.length - 1))]!;
        await insertDeployment(rows, version, { person, investment: 10_000, maxAllocation: 50, stopLoss: 4 });
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, joinNext));
  return credentials;
}

export function valueOf<Value>(answer: { ok: true; value: Value } | { ok: false; message: string }): Value {
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
}
