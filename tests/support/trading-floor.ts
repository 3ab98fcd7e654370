// One active at a broker whose answers the test writes, with the trader's own booking and sending behind it on real
// PostgreSQL: no ticks, no market, no strategy.
import { setStatus } from './deployment-commands.ts';
import { createTargetCache } from '#trader/strategies/target-cache.ts';
import { randomUUID } from 'node:crypto';
import type { ApprovedOrder } from '../../src/engine/order/order.ts';
import { step } from '../../src/engine/step.ts';
import { deployment, marksOf, target, TERMS } from './engine/deployment.ts';
import type {
  Broker,
  BrokerExecution,
  BrokerOrder,
  BrokerSession,
  SubmitResult,
} from '../../src/ports/broker.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { insertOrders } from '#records/execution/orders.ts';
import { SHARDS } from '#records/operations/trading-shards.ts';
import { createTogether, type JoinedConnection } from '#trader/connections/together.ts';
import { NO_TRACING } from '#ports/tracing.ts';
import { createStageCounts } from '#records/operations/chain-latencies.ts';
import { createProblemLog } from '../../src/engine/incidents/problem-log.ts';
import { createCircuitBreaker } from '#engine/lifecycle/circuit-breaker.ts';
import { newConnection } from '#trader/connections/connection.ts';
import { emptyReport } from '../../src/trader/tick-report.ts';
import type { TradingContext } from '../../src/trader/trading-context.ts';
import type {
  BrokerAccountId,
  BrokerConnectionId,
  DeploymentId,
  OrderId,
} from '../../src/units/identifiers.ts';
import { isoText, parseInstant } from '../../src/units/instant.ts';
import { wallInstant } from '../../src/units/wall-instant.ts';
import type { TestDatabase } from './test-database.ts';
import { insertDeployment, insertPerson, insertStrategy, type TradingPerson } from './trading-rows.ts';
import { BOTH_ABOVE_30 } from './trading-world.ts';

/** A Monday morning in a session of the American exchanges. */
export const NOW = parseInstant('2026-03-02T15:00:00Z');

export type ReportedSession = {
  orders: readonly BrokerOrder[];
  executions: readonly BrokerExecution[];
  submit: (order: ApprovedOrder, mayLeave: () => boolean) => Promise<SubmitResult> | SubmitResult;
};

export type TradingFloor = {
  readonly context: TradingContext;
  readonly reported: ReportedSession;
  readonly problems: string[];
  connect(person: TradingPerson): JoinedConnection;
  person(account?: string): Promise<TradingPerson>;
  /** A deployment that trades, with its money in cash. */
  deploy(person: TradingPerson): Promise<DeploymentId>;
  /** Purchases of 10 AAA at 100, one for each, as the engine decides them; not sent yet. */
  order(person: TradingPerson, ids: readonly DeploymentId[]): Promise<readonly PlacedOrder[]>;
};

export type PlacedOrder = { readonly id: OrderId; readonly order: ApprovedOrder };

export async function tradingFloor(handle: TestDatabase): Promise<TradingFloor> {
  const { database, pool } = handle;
  const rows = { database, pool, newId: randomUUID, now: () => NOW };
  await saveInstruments(database, [...TERMS.instruments.values()], 'sandbox');
  const version = await insertStrategy(rows, STRATEGY);
  const problems: string[] = [];
  const context = contextOf(handle, problems);
  const reported: ReportedSession = {
    orders: [],
    executions: [],
    submit: () => ({ outcome: 'unknown', reason: 'nobody answers' }),
  };
  const session = {
    orders: async () => ({ outcome: 'ok', value: reported.orders, unread: [] }),
    executions: async () => ({ outcome: 'ok', value: reported.executions, unread: [] }),
    positions: async () => ({ outcome: 'ok', value: [], unread: [] }),
    cash: async () => ({ outcome: 'ok', value: { currency: 'USD', cash: 0, netLiquidation: 0 } }),
    submitOrder: async (_: string, order: ApprovedOrder, terms: { mayLeave: () => boolean }) =>
      reported.submit(order, terms.mayLeave),
    sessionState: () => ({ status: 'connected', detail: '' }),
    cancelOrder: async () => ({ outcome: 'requested' }),
  } as unknown as BrokerSession;
  let made = 0;
  const together = createTogether();
  return {
    context,
    reported,
    problems,
    connect: ({ connection, account }) => ({
      connection: {
        id: connection as BrokerConnectionId,
        vendor: SCRIPTED.vendor,
        accountId: account as BrokerAccountId,
        sealedCredentials: Buffer.of(0),
        withoutMarketData: false,
        isUnsettled: false,
      },
      session,
      known: newConnection(),
      broker: SCRIPTED,
      together,
    }),
    person: (account) => insertPerson(rows, account === undefined ? {} : { account }),
    async deploy(person) {
      const id = await insertDeployment(rows, version, { person });
      await setStatus(pool, id, 'active');
      return id;
    },
    async order({ connection }, ids) {
      const placed = ids.map((deploymentId) => {
        const event = target({ AAA: 0.1 }, { AAA: 100 }, { id: `cause-${(made += 1)}`, at: NOW });
        const { orders } = step(deployment({ deploymentId }), event, TERMS);
        return { id: randomUUID() as string as OrderId, order: orders[0]! };
      });
      await database.transaction().execute((trx) =>
        insertOrders(
          trx,
          placed.map((one) => ({
            ...one,
            connectionId: connection as BrokerConnectionId,
            targetId: null,
            pricedAt: NOW,
            stopLossPercentage: null,
          })),
        ),
      );
      return placed;
    },
  };
}

const SCRIPTED = {
  vendor: 'scripted',
  keepsMarketTime: true,
  limits: { executionHistoryDays: 7, listLagMs: 900_000 },
} as Broker;

function contextOf({ database }: TestDatabase, problems: string[]): TradingContext {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const report = emptyReport();
  let real = 0;
  return {
    database,
    lease: {
      shards: Array.from({ length: SHARDS }, (_, shard) => shard),
      hasMarket: true,
      key: 'all',
      fence: async () => undefined,
      fenceMarket: async () => undefined,
      isValid: () => true,
    },
    now: NOW,
    pricedAt: NOW,
    speed: 1,
    async atPresent(this: TradingContext) {
      return this;
    },
    mode: 'sandbox',
    instruments: TERMS.instruments,
    marks: marksOf({ AAA: 100, BBB: 40 }),
    unpriced: [],
    doubted: new Map(),
    halted: new Set(),
    exceptions: new Map(),
    actions: new Map(),
    terms: TERMS,
    versions: new Map(),
    targetCache: createTargetCache(),
    circuitBreaker: createCircuitBreaker(),
    problemLog: createProblemLog(),
    tracing: NO_TRACING,
    seenAt: wallInstant(real),
    latencies: createStageCounts(),
    barCloses: { newestBar: () => null },
    report: { ...report, problems: { push: (problem: { reason: string }) => problems.push(problem.reason) } },
    logger,
    newId: randomUUID,
    steadyMs: () => 0,
    brokers: [SCRIPTED],
    realNow: () => wallInstant((real += 1)),
  } as unknown as TradingContext;
}

/** Marks these orders as sent without an answer. */
export async function markSent({ pool }: TestDatabase, orders: readonly PlacedOrder[]): Promise<void> {
  await pool.query(`update orders set status = 'sending', sent_at = $2 where id = any($1::uuid[])`, [
    orders.map(({ id }) => id),
    isoText(NOW),
  ]);
}

const STRATEGY = { ...BOTH_ABOVE_30, name: 'On the floor' };
