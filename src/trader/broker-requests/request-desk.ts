// Answers what the API and commands ask about broker accounts, and keeps their cash fresh: over the sessions that this trader owns,
// and beside its ticks, so that a person waits for no look at a broker.
import { renewalPauseMs } from '#engine/execution/connection/account-cash.ts';
import { brokerOf, openSessionOf } from '#ports/brokers.ts';
import { type CashDue, listCashDue } from '#records/brokerage/account-cash.ts';
import {
  type AnsweredRequest,
  answerRequest,
  listOpenRequests,
  type OpenRequest,
} from '#records/brokerage/broker-requests.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { msBetween, type WallInstant, wallAfter } from '#units/wall-instant.ts';
import { BrokerUnavailable, valueOf } from '../connections/broker-unavailable.ts';
import type { TraderDependencies } from '../dependencies.ts';
import type { ShardLease } from '../leases/shard-lease.ts';
import { type FindSession, readCash } from './read-cash.ts';
import { readLists } from './read-lists.ts';

export type RequestDesk = {
  /** Begins what is due and not under way yet; returns before it is answered. */
  serve(lease: ShardLease): Promise<void>;
  /** Everything under way has ended. */
  idle(): Promise<void>;
};

type Desk = Pick<TraderDependencies, 'handle' | 'brokers' | 'openCredentials' | 'logger' | 'realNow'> & {
  readonly findSession: FindSession;
};

export function createRequestDesk(desk: Desk): RequestDesk {
  const { handle, logger, realNow } = desk;
  const underWay = new Map<string, Promise<void>>();
  const pausedUntil = new Map<BrokerConnectionId, WallInstant>();
  const begin = (key: string, work: () => Promise<void>) => {
    if (underWay.has(key)) return;
    // Left for the next turn, or for whoever holds the shard then.
    const failed = (error: unknown) => logger.warn({ err: error }, `trader: ${key} was not answered`);
    const running = work()
      .catch(failed)
      .finally(() => underWay.delete(key));
    underWay.set(key, running);
  };
  const renewCash = async (lease: ShardLease, due: CashDue) => {
    try {
      await readCash(desk, lease, due);
    } catch (error) {
      const code = error instanceof BrokerUnavailable ? error.code : null;
      pausedUntil.set(due.id, wallAfter(realNow(), renewalPauseMs(code)));
      if (code === null) throw error;
    }
  };
  return {
    async serve(lease) {
      for (const request of await listOpenRequests(handle.database, lease))
        begin(`request ${request.id}`, () => answer(desk, lease, request));
      for (const [id, until] of pausedUntil) if (msBetween(realNow(), until) <= 0) pausedUntil.delete(id);
      const due = await listCashDue(handle.database, {
        shards: lease.shards,
        except: [...pausedUntil.keys()],
      });
      for (const one of due) {
        if (underWay.size >= AT_ONCE) break;
        begin(`cash of ${one.id}`, () => renewCash(lease, one));
      }
    },
    async idle() {
      await Promise.all(underWay.values());
    },
  };
}

async function answer(desk: Desk, lease: ShardLease, request: OpenRequest): Promise<void> {
  const found = await ask(desk, lease, request);
  await desk.handle.database.transaction().execute(async (trx) => {
    if (request.connection === null) await lease.fenceMarket(trx);
    else await lease.fence(trx, [request.connection.id]);
    await answerRequest(trx, { id: request.id, answer: found });
  });
}

async function ask(desk: Desk, lease: ShardLease, request: OpenRequest): Promise<AnsweredRequest> {
  try {
    if (request.kind === 'accounts') return await listAccounts(desk, request);
    const { connection } = request;
    if (connection === null || connection.accountId === null) return { outcome: 'failed', code: 'refused' };
    const { findSession, handle } = desk;
    const granted = { ...connection, accountId: connection.accountId };
    if (request.kind === 'lists') {
      const lists = await readLists({ database: handle.database, findSession }, granted);
      return { outcome: 'ok', accounts: [], lists };
    }
    await readCash(desk, lease, granted);
    return { outcome: 'ok', accounts: [] };
  } catch (error) {
    if (error instanceof BrokerUnavailable) return { outcome: 'failed', code: error.code };
    throw error;
  }
}

async function listAccounts(desk: Desk, { connection, vendor }: OpenRequest): Promise<AnsweredRequest> {
  if (connection !== null && connection.accountId !== null) {
    const session = await desk.findSession(connection);
    return { outcome: 'ok', accounts: valueOf('accounts', await session.accounts()) };
  }
  // The adviser's own access, and one that has no account yet, trade nothing: no turn of a connection knows them.
  const opened =
    connection === null
      ? await brokerOf(desk.brokers, vendor).openSession({})
      : await openSessionOf(desk, connection);
  const session = valueOf('session', opened);
  try {
    return { outcome: 'ok', accounts: valueOf('accounts', await session.accounts()) };
  } finally {
    await session.close();
  }
}

const AT_ONCE = 8;
