// The trader's answers to the API, without its ticks: the real desk over a broker whose answers the test sets.
import type { FindSession } from '#trader/broker-requests/read-cash.ts';
import { createRequestDesk } from '#trader/broker-requests/request-desk.ts';
import { startAnswering } from '#trader/broker-requests/start-answering.ts';
import { valueOf } from '#trader/connections/broker-unavailable.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { SHARDS } from '#records/operations/trading-shards.ts';
import type { Broker } from '../../src/ports/broker.ts';
import type { ShardLease } from '../../src/trader/leases/shard-lease.ts';
import { wallInstant } from '../../src/units/wall-instant.ts';

type Desk = {
  readonly handle: DatabaseHandle;
  readonly broker: Broker;
  /** 'connections': all clients'. 'adviser': the adviser's own access. */
  readonly answersFor: 'connections' | 'adviser';
  /** By default each question opens one. */
  readonly findSession?: FindSession;
};

/** Returns the function that stops it. */
export function startDesk({ handle, broker, answersFor, ...more }: Desk): () => Promise<void> {
  const isForClients = answersFor === 'connections';
  const lease: ShardLease = {
    shards: isForClients ? Array.from({ length: SHARDS }, (_, shard) => shard) : [],
    hasMarket: !isForClients,
    key: answersFor,
    restoration: 0,
    fence: async () => undefined,
    fenceMarket: async () => undefined,
    isValid: () => true,
  };
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const desk = createRequestDesk({
    handle,
    brokers: [broker],
    logger: silent,
    openCredentials: () => ({}),
    realNow: () => wallInstant(Date.now()),
    findSession: async () => valueOf('session', await broker.openSession({})),
    ...more,
  });
  return startAnswering({ handle, logger: silent }, desk, async () => lease);
}
