// The product's own trader at the vendor's published pacing: the sandbox as a process that punishes who asks too often,
// people with deployments in an account of their own, and the trader's loop on real PostgreSQL. Orders for shares wait at
// the broker overnight, stops rest there, and coins are decided on meanwhile. It notes when each order left.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PUBLISHED_RATE_LIMITS } from '../../src/adapters/broker/interactive-brokers/config.ts';
import { sandboxFeed } from '../../src/adapters/market-data/sandbox/sandbox-feed.ts';
import type { Broker, BrokerCredentials, BrokerSession } from '../../src/ports/broker.ts';
import type { MarketDataFeed } from '../../src/ports/market-data.ts';
import { sharedRateLimiter } from '#records/brokerage/shared-rate-limiter.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { createTrader } from '#trader/trader.ts';
import type { ClientOrderId } from '../../src/units/identifiers.ts';
import type { Instant } from '../../src/units/instant.ts';
import { wallInstant } from '../../src/units/wall-instant.ts';
import { RESTLESS } from '../kill-campaign/strategies.ts';
import { NO_MODELS } from './no-models.ts';
import { sandboxAdapter, signInAt } from './sandbox-adapter.ts';
import { punishHaste, startSandbox } from './sandbox-process.ts';
import { insertDeployment, insertPerson, insertStrategy } from './trading-rows.ts';

/** Milliseconds of the wall's clock. */
export type OrderAge = { readonly sinceDecided: number; readonly sinceRead: number };

export type PacedTrading = {
  /** Lets the trader run for so many days of the market. */
  run(days: number): Promise<void>;
  /** Of every order that left. */
  ages(): Promise<readonly OrderAge[]>;
  readonly problems: readonly string[];
  close(): Promise<void>;
};

export async function pacedTrading(
  handle: DatabaseHandle,
  { people, daySeconds }: { readonly people: number; readonly daySeconds: number },
): Promise<PacedTrading> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-paced-'));
  const sandbox = await startSandbox(folder, daySeconds);
  const { address } = sandbox;
  const keys = path.join(folder, 'sandbox', 'consumer');
  const feed = sandboxFeed(address);
  const instruments = valueOf(await feed.instruments());
  await saveInstruments(handle.database, instruments, 'sandbox');
  const credentials = await join(handle, people, {
    broker: sandboxAdapter({ address, keys, instruments }),
    now: valueOf(await feed.clock()).now,
  });
  const left = new Map<ClientOrderId, number>();
  const readAt = new Map<number, number>();
  const problems: string[] = [];
  const note = (facts: { readonly err?: unknown; readonly error?: unknown }, message: string) =>
    void problems.push(`${message} ${String(facts.err ?? facts.error ?? '')}`);
  const config = {
    rateLimits: { ...PUBLISHED_RATE_LIMITS, requestsPerSecond: 7 },
    sharedLimiterOf: (userHash: string) => sharedRateLimiter(handle.database, { server: address, userHash }),
  };
  const trader = createTrader({
    handle,
    brokers: [
      { ...noting(left, sandboxAdapter({ address, keys, instruments, config })), vendor: 'scripted' },
    ],
    marketData: notingReadings(readAt, feed),
    models: NO_MODELS,
    openCredentials: ({ id }) => credentials[id] as BrokerCredentials<never>,
    logger: { info: () => undefined, warn: note, error: note },
    newId: randomUUID,
    realNow: () => wallInstant(Date.now()),
  });
  await punishHaste(address);
  return {
    problems,
    async run(days) {
      const over = new AbortController();
      const running = trader.run(over.signal);
      await new Promise((done) => setTimeout(done, days * daySeconds * 1_000));
      over.abort();
      await running;
    },
    async ages() {
      const { rows } = await handle.pool.query<{ id: ClientOrderId; created_at: Date; decided_at: Date }>(
        `select client_order_id as id, created_at, decided_at from orders where purpose <> 'protective'`,
      );
      return rows.flatMap(({ id, created_at: written, decided_at: decided }) => {
        const at = left.get(id);
        const read = readAt.get(decided.getTime());
        if (at === undefined || read === undefined) return [];
        return { sinceDecided: at - written.getTime(), sinceRead: at - read };
      });
    },
    async close() {
      sandbox.process.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Changes its mind almost daily, like the strategies over coins. */
export const SHARES = {
  ...RESTLESS[0],
  name: 'Shares above their days',
  universe: ['BWMKT', 'BWGLD', 'NVSM'],
  benchmark: 'BWMKT',
};

/** The last moment at which an order may still be held back is the moment at which it leaves. */
export function noting(left: Map<ClientOrderId, number>, broker: Broker): Broker {
  const noted = (session: BrokerSession): BrokerSession => ({
    ...session,
    submitOrder: (accountId, order, terms) =>
      session.submitOrder(accountId, order, {
        ...terms,
        mayLeave: () => {
          const leaves = terms?.mayLeave?.() ?? true;
          if (leaves) left.set(order.clientOrderId, Date.now());
          return leaves;
        },
      }),
  });
  return {
    ...broker,
    async openSession(credentials) {
      const answer = await broker.openSession(credentials);
      return answer.outcome === 'failed' ? answer : { outcome: 'ok', value: noted(answer.value) };
    },
  };
}

/** When each reading of the market's clock was asked for. */
function notingReadings(readAt: Map<number, number>, feed: MarketDataFeed): MarketDataFeed {
  return {
    ...feed,
    async clock() {
      const asked = Date.now();
      const answer = await feed.clock();
      if (answer.ok) readAt.set(answer.value.now, asked);
      return answer;
    },
  };
}

async function join(
  { database, pool }: DatabaseHandle,
  people: number,
  { broker, now }: { readonly broker: Broker; readonly now: Instant },
): Promise<Record<string, BrokerCredentials>> {
  const rows = { database, pool, newId: randomUUID, now: () => now };
  const versions: string[] = [];
  for (const definition of [...RESTLESS, SHARES]) versions.push(await insertStrategy(rows, definition));
  const credentials: Record<string, BrokerCredentials> = {};
  for (let i = 0; i < people; i++) {
    const granted = await signInAt(broker, `paced-${i}`);
    const person = await insertPerson(rows, { account: granted.accountId });
    credentials[person.connection] = granted.credentials;
    for (const version of versions)
      await insertDeployment(rows, version, { person, investment: 10_000, maxAllocation: 50, stopLoss: 4 });
  }
  return credentials;
}

function valueOf<Value>(answer: { ok: true; value: Value } | { ok: false; message: string }): Value {
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
}
