// One desk per broker connection: its session, and one thing at a time. A broker that is slow or away holds up its own
// connection only; work that outlasts the tick's patience goes on beside the next ones.
import type { BrokerSession } from '#ports/broker.ts';
import {
  listTradingConnections,
  revokeConnection,
  type TradingConnection,
} from '#records/trading-connections.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { type Instant, SECOND_MS } from '#units/instant.ts';
import { cancelUnwanted, type Cancellations } from './cancel-orders.ts';
import { sendOrders } from './send-orders.ts';
import { type Desk, takeFacts } from './take-facts.ts';
import { noteProblem, type TradingContext } from './trading-context.ts';

export type BrokerDesks = {
  /** Books what happened at the broker, for every connection that could have news. */
  takeFacts(context: TradingContext, patienceMs: number): Promise<void>;
  /** Cancels what is not wanted, sends what is, and books what came of it at once. */
  act(context: TradingContext, patienceMs: number): Promise<void>;
  close(): Promise<void>;
};

type Counter = {
  session: BrokerSession | null;
  busy: Promise<void> | null;
  lookedAt: number;
  keptAliveAt: number;
  /** After a failure nothing is asked before this, on the real clock. */
  restsUntil: number;
  readonly cancellations: Cancellations;
};

export function createBrokerDesks(): BrokerDesks {
  const counters = new Map<BrokerConnectionId, Counter>();

  const counterOf = (id: BrokerConnectionId): Counter => {
    let counter = counters.get(id);
    if (counter === undefined) {
      const cancellations: Cancellations = new Map();
      counter = { session: null, busy: null, lookedAt: 0, keptAliveAt: 0, restsUntil: 0, cancellations };
      counters.set(id, counter);
    }
    return counter;
  };

  /** Runs work at a desk unless it is busy or resting; never throws. */
  const at = (
    context: TradingContext,
    connection: TradingConnection,
    work: (desk: Desk, counter: Counter) => Promise<void>,
  ) => {
    const counter = counterOf(connection.id);
    if (counter.busy !== null || context.realNow() < counter.restsUntil)
      return counter.busy ?? Promise.resolve();
    const run = async () => {
      try {
        const session = counter.session ?? (await openSession(context, connection));
        counter.session = session;
        await keepAlive(session, counter, context.realNow());
        const { executionHistoryDays } = context.broker.limits;
        await work({ connection, session, executionHistoryDays }, counter);
      } catch (error) {
        noteProblem(context, `broker connection ${connection.id}`, error);
        counter.restsUntil = context.realNow() + REST_MS;
        if (counter.session?.sessionState().status !== 'connected') counter.session = null;
      } finally {
        counter.busy = null;
      }
    };
    counter.busy = run();
    return counter.busy;
  };

  const lookAt = async (context: TradingContext, desk: Desk, counter: Counter) => {
    await takeFacts(context, desk);
    counter.lookedAt = context.realNow();
  };

  return {
    async takeFacts(context, patienceMs) {
      const open = await listTradingConnections(context.database, 'with orders at the broker');
      const all = await listTradingConnections(context.database, 'all');
      const openIds = new Set(open.map(({ id }) => id));
      const due = all.filter(
        ({ id }) => openIds.has(id) || context.realNow() - counterOf(id).lookedAt >= LOOK_ANYWAY_MS,
      );
      // A connection whose deployments have all ended can still have an order of theirs.
      const ended = open.filter(({ id }) => !all.some((one) => one.id === id));
      await patiently(patienceMs, [...due, ...ended], (connection) =>
        at(context, connection, (desk, counter) => lookAt(context, desk, counter)),
      );
    },
    async act(context, patienceMs) {
      const toSend = await listTradingConnections(context.database, 'with orders to send');
      const open = await listTradingConnections(context.database, 'with orders at the broker');
      const sending = new Set(toSend.map(({ id }) => id));
      const connections = [...toSend, ...open.filter(({ id }) => !sending.has(id))];
      await patiently(patienceMs, connections, (connection) =>
        at(context, connection, async (desk, counter) => {
          const cancelled = await cancelUnwanted(context, desk, counter.cancellations);
          const { sent, isShut } = sending.has(connection.id)
            ? await sendOrders(context, desk)
            : NOTHING_SENT;
          if (cancelled + sent > 0) await lookAt(context, desk, counter);
          if (isShut) counter.restsUntil = context.realNow() + REST_MS;
        }),
      );
    },
    async close() {
      const all = [...counters.values()];
      await Promise.all(all.map(({ busy }) => busy));
      await Promise.all(all.map(({ session }) => session?.close()));
      counters.clear();
    },
  };
}

async function openSession(context: TradingContext, connection: TradingConnection): Promise<BrokerSession> {
  const credentials = context.openCredentials(connection.id, connection.sealedCredentials);
  const answer = await context.broker.openSession(credentials);
  if (answer.outcome === 'ok') return answer.value;
  if (answer.code === 'unauthorized') {
    await revokeConnection(context.database, connection.id, 'The broker no longer accepts our permission.');
  }
  throw new Error(`no session: ${answer.code}: ${answer.reason}`);
}

async function keepAlive(session: BrokerSession, counter: Counter, now: Instant): Promise<void> {
  if (counter.keptAliveAt === 0) counter.keptAliveAt = now;
  if (now - counter.keptAliveAt < KEEP_ALIVE_MS) return;
  counter.keptAliveAt = now;
  const answer = await session.keepAlive();
  if (answer.outcome === 'failed') throw new Error(`keep-alive: ${answer.code}: ${answer.reason}`);
}

/** Runs all, a few at a time, and stops waiting (not working) when patience ends. */
async function patiently<Item>(
  patienceMs: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  const all = Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, worker));
  if (patienceMs === Number.POSITIVE_INFINITY) {
    await all;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([all, enough]);
  clearTimeout(timer);
}

const NOTHING_SENT = { sent: 0, isShut: false };
const AT_ONCE = 8;
const KEEP_ALIVE_MS = 55 * SECOND_MS;
/** Also without orders of ours: the person may trade by hand, and permission may end. */
const LOOK_ANYWAY_MS = 30 * SECOND_MS;
const REST_MS = 5 * SECOND_MS;
