// One life of a trader process: its own connection pool, broker adapters and memory. It can be killed between any two
// outside calls; from that moment it no longer reaches the database or the broker.
import type pg from 'pg';
import type { Broker, BrokerCredentials, BrokerSession } from '#ports/broker.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { TRANSACTION_PATIENCE_MS } from '#records/operations/trading-shards.ts';
import type { Turnstile } from './turnstile.ts';

export type Life = {
  readonly handle: DatabaseHandle;
  readonly brokers: readonly Broker[];
  /** How many outside calls it has made so far. */
  readonly done: number;
  readonly isDead: boolean;
  /** Dies before the n-th outside call from now, or right after it, so that its answer never arrives. */
  dieAt(count: number, moment: 'before' | 'after'): void;
  /**
   * Runs `work` right before the n-th outside call from now, and after it again until `work` returns true: false means
   * that it waits for a lock of this process.
   */
  interruptAt(count: number, work: () => Promise<boolean>): void;
  /** What the database knows its connections by. */
  readonly name: string;
  /**
   * Stops before the n-th outside call from now, as a stopped process does, and continues when woken.
   * Returns when it has stopped, and how to wake it.
   */
  stopAt(count: number): { readonly stopped: Promise<void>; wake(): void };
  /** Breaks every connection, as the end of a process does. */
  kill(): Promise<void>;
};

export function beginLife(url: string, brokers: readonly Broker[], turnstile: Turnstile): Life {
  const name = `life-${++lives}`;
  let interruption: { at: number; work: () => Promise<boolean> } | null = null;
  let done = 0;
  let fate: { at: number; moment: 'before' | 'after' } | null = null;
  let isDead = false;
  const clients = new Set<pg.PoolClient>();
  let asked = 0;
  let sleep: Sleep | null = null;
  const act = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    asked += 1;
    if (sleep !== null && asked >= sleep.at) {
      sleep.began.resolve();
      await sleep.over.promise;
    }
    return turnstile.pass(async () => {
      const own = ++done;
      if (interruption !== null && own >= interruption.at) {
        const { work: interrupt } = interruption;
        if (await interrupt()) interruption = null;
      }
      if (fate !== null && (own > fate.at || (own === fate.at && fate.moment === 'before'))) isDead = true;
      if (isDead) throw killed();
      const result = await work();
      if (fate !== null && own >= fate.at) isDead = true;
      if (isDead) throw killed();
      return result;
    });
  };
  const handle = openDatabase(`${url}?application_name=${name}`, {
    poolSize: 6,
    patienceMs: TRANSACTION_PATIENCE_MS,
  });
  handle.pool.on('connect', (client) => client.on('error', () => undefined));
  wrapPool(handle.pool, { act, clients, dead: () => isDead });
  return {
    handle,
    brokers: brokers.map((broker) => ({
      ...broker,
      openSession: (credentials: BrokerCredentials) => act(() => openSession(broker, credentials, act)),
    })),
    get done() {
      return done;
    },
    get isDead() {
      return isDead;
    },
    dieAt(count, moment) {
      fate = { at: done + count, moment };
    },
    interruptAt(count, work) {
      interruption = { at: done + count, work };
    },
    name,
    stopAt(count) {
      const began = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      sleep = { at: asked + count, began, over };
      return { stopped: began.promise, wake: () => over.resolve() };
    },
    async kill() {
      isDead = true;
      for (const client of clients) client.release(true);
      clients.clear();
      await handle.close().catch(() => undefined);
    },
  };
}

type Sleep = {
  readonly at: number;
  readonly began: PromiseWithResolvers<void>;
  readonly over: PromiseWithResolvers<void>;
};

let lives = 0;

type Act = <Value>(work: () => Promise<Value>) => Promise<Value>;

async function openSession(
  broker: Broker,
  credentials: Parameters<Broker['openSession']>[0],
  act: Act,
): ReturnType<Broker['openSession']> {
  const answer = await broker.openSession(credentials);
  if (answer.outcome === 'failed') return answer;
  return { outcome: 'ok', value: guarded(answer.value, act) };
}

/** The same session; every query counts as one outside call. */
function guarded(session: BrokerSession, act: Act): BrokerSession {
  return new Proxy(session, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = member.bind(target) as (...args: unknown[]) => unknown;
      if (ASKS_NOBODY.has(name)) return call;
      return (...args: unknown[]) => act(async () => call(...args));
    },
  });
}

const ASKS_NOBODY: ReadonlySet<string | symbol> = new Set([
  'sessionState',
  'accountTerms',
  'onNews',
  'streamStretch',
  'close',
]);

type Watched = {
  readonly act: Act;
  readonly clients: Set<pg.PoolClient>;
  readonly dead: () => boolean;
};

/** Every statement passes the turnstile; a dead process's connections are broken, so the server rolls back. */
function wrapPool(pool: pg.Pool, { act, clients, dead }: Watched): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  pool.connect = (async () => {
    const client = await connect();
    clients.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const release = client.release.bind(client);
    client.query = ((...args: unknown[]) =>
      isStream(args[0]) ? query(...args) : act(() => query(...args))) as typeof client.query;
    client.release = (error) => {
      if (!clients.delete(client)) return;
      client.query = query as typeof client.query;
      client.release = release;
      release(dead() ? true : error);
    };
    return client;
  }) as typeof pool.connect;
  pool.query = (async (...args: Parameters<pg.PoolClient['query']>) => {
    const client = await pool.connect();
    try {
      return await client.query(...args);
    } finally {
      client.release();
    }
  }) as unknown as typeof pool.query;
}

/** A stream is driven by its events and has no promise to wait for. */
const isStream = (query: unknown) => typeof query === 'object' && query !== null && 'submit' in query;

const killed = () => Object.assign(new Error('killed'), { code: '57P01' });
