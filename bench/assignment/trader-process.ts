// The product's trader as a process, with its work assigned in one way or the other. It tells its parent of each look at a connection.
// STAGE names the file of the stage, ASSIGNMENT the way, PORT where Restate reaches it.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import { shardOf, TRANSACTION_PATIENCE_MS } from '#records/operations/trading-shards.ts';
import { openDatabase } from '#records/postgres/database.ts';
import type { TraderDependencies } from '#trader/dependencies.ts';
import { createShardLeases } from '#trader/leases/shard-lease.ts';
import { createTrader, PATIENCE_MS, TICK_MS } from '#trader/trader.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { wallInstant } from '#units/wall-instant.ts';
import type { StageFile } from '../../tests/kill-campaign/stage.ts';
import { NO_MODELS } from '../../tests/support/no-models.ts';
import { sandboxAdapter } from '../../tests/support/sandbox-adapter.ts';
import { serveConnections } from './connection-object.ts';
import { holdConnections, MARKET } from './held-connections.ts';
import { oneLook } from './one-look.ts';

/** A look at a connection has begun. */
export type Look = {
  readonly what: 'look';
  readonly connection: string;
  /** The process and the fence under which it acts: another holder is another of both. */
  readonly holder: string;
  readonly at: number;
};
/** What a trader says to its parent; ready, when it can take work. */
export type Told = Look | { readonly what: 'ready' };

// A killed process leaves no compiled code to the next one unless it is written at once.
flushCompileCache();

const stage = JSON.parse(readFileSync(process.env.STAGE!, 'utf8')) as StageFile;
const { address, keys, instruments, databaseUrl, credentials } = stage;
const connections = new Map(Object.entries(credentials).map(([id, own]) => [own, id]));
const handle = openDatabase(databaseUrl, {
  poolSize: 8,
  onIdleError: () => undefined,
  patienceMs: TRANSACTION_PATIENCE_MS,
});
const quiet = () => undefined;
const realNow = () => wallInstant(Date.now());
const dependencies: TraderDependencies = {
  handle,
  brokers: [telling({ ...sandboxAdapter({ address, keys, instruments }), vendor: 'scripted' })],
  marketData: sandboxFeed(address),
  models: NO_MODELS,
  openCredentials: ({ id }) => credentials[id] as BrokerCredentials<never>,
  logger: { info: quiet, warn: quiet, error: quiet },
  newId: randomUUID,
  realNow,
};
let fenceOf: (connection: string) => string | null = () => null;
if (process.env.ASSIGNMENT === 'restate') await heldByRestate();
else await heldByLeases();

/** There is no loop of its own: the trader ticks because handlers ask for a look. */
async function heldByRestate(): Promise<void> {
  const look = oneLook(() => trader.tick({ patienceMs: PATIENCE_MS }), TICK_MS);
  const onKept = (connection: string) => connection !== MARKET && tellLook(connection);
  const holding = holdConnections({ handle, realNow, look, onKept });
  const trader = createTrader(dependencies, holding.leases);
  fenceOf = holding.fenceOf;
  // Work goes to a trader that has read what it needs.
  await look('at once');
  tell({ what: 'ready' });
  await serveConnections(Number(process.env.PORT), holding.hold);
}

/** As the product has it. */
async function heldByLeases(): Promise<void> {
  const leases = createShardLeases({ ...dependencies, steadyMs: () => performance.now() });
  let fences = new Map<string, string>();
  fenceOf = (connection) => fences.get(String(shardOf(connection as BrokerConnectionId))) ?? null;
  const current = async () => {
    const lease = await leases.current();
    fences = new Map(lease.key.split(' ').map((one) => one.split('.') as [string, string]));
    return lease;
  };
  const trader = createTrader(dependencies, { ...leases, current });
  await trader.tick({ patienceMs: PATIENCE_MS });
  tell({ what: 'ready' });
  await trader.run(new AbortController().signal);
}

function telling(broker: Broker): Broker {
  return {
    ...broker,
    async openSession(own) {
      const connection = connections.get(own as BrokerCredentials)!;
      const opened = await broker.openSession(own);
      if (opened.outcome === 'failed') return opened;
      const session = opened.value;
      const orders: typeof session.orders = (...asked) => {
        tellLook(connection);
        return session.orders(...asked);
      };
      return { ...opened, value: { ...session, orders } };
    },
  };
}

function tellLook(connection: string): void {
  tell({ what: 'look', connection, holder: `${process.pid}/${fenceOf(connection)}`, at: Date.now() });
}

function tell(told: Told): void {
  process.send!(told);
}
