// Replays all booked executions through the engine and compares the result with the stored one: the second opinion.
import { restoreApprovedOrder } from '#engine/order/approved-order.ts';
import { valuePosition } from '#engine/portfolio/value.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { ORDER_STATUSES } from '#engine/order/order-status.ts';
import { listOrders } from '#records/execution/orders.ts';
import { findDifferingTrips } from '#records/books/differing-trips.ts';
import { replayBooks } from '#records/books/replay-books.ts';
import { readBooksOf } from '#records/books/statement-books.ts';
import { listHoldings } from '#records/portfolio/positions.ts';
import type { Invariant, Violation } from '#records/invariants/invariant.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { actualDays } from '#rules/portfolio/bridge/actual-days.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';

type Database = Parameters<Invariant['find']>[0];

/** Its violations are the differences and misbookings of `replayBooks`, each with its deployment. */
export const BOOKS_INVARIANT: Invariant = {
  id: 'I2',
  says: 'Cash, realised result and positions are what the executions, splits, dividends, swaps, expiries, deliveries, adjustments and figures of the broker make of the investment',
  find: findDiverging,
};

export const REPLAY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    says: 'Every client order id derives from its order by the documented rule',
    find: findUnderived,
  },
  BOOKS_INVARIANT,
  {
    id: 'I2',
    says: 'Round trips are what everything that was booked for their instrument makes of them, from flat to flat',
    find: async (database) => findDifferingTrips(database, await instrumentMap(database)),
  },
  { id: 'I4', says: 'Each position is worth what the engine says at its mark', find: findMisvalued },
  {
    id: 'I4',
    says: 'What a deployment was worth on each day is what its books and the prices of that day say',
    find: findUnexplainedDays,
  },
];

async function findUnderived(database: Database): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { decided } of await listOrders(database, { statuses: ORDER_STATUSES })) {
    try {
      restoreApprovedOrder(decided);
    } catch (error) {
      violations.push({ client_order_id: decided.clientOrderId, reason: (error as Error).message });
    }
  }
  return violations;
}

async function findDiverging(database: Database): Promise<Violation[]> {
  const instruments = await instrumentMap(database);
  const violations: Violation[] = [];
  for (const record of await allDeployments(database)) {
    const { differences, misbooked } = await replayBooks(database, record, instruments);
    for (const one of [...misbooked, ...differences]) violations.push({ deployment_id: record.id, ...one });
  }
  return violations;
}

async function findMisvalued(database: Database): Promise<Violation[]> {
  const instruments = await instrumentMap(database);
  const violations: Violation[] = [];
  for (const [deploymentId, holdings] of await listHoldings(database, await allIds(database))) {
    for (const holding of holdings.values()) {
      const instrument = instruments.get(holding.symbol);
      if (instrument === undefined) throw new Error(`no instrument ${holding.symbol}`);
      const value = valuePosition(holding, holding.markPrice, instrument, NO_MARKS);
      const same =
        value.currentValue === holding.currentValue &&
        value.totalCost === holding.totalCost &&
        value.unrealized === holding.unrealized &&
        value.notional === holding.notional;
      if (!same)
        violations.push({
          deployment_id: deploymentId,
          symbol: holding.symbol,
          stored: holding,
          engine: value,
        });
    }
  }
  return violations;
}

async function instrumentMap(database: Database): Promise<ReadonlyMap<Symbol, Instrument>> {
  return new Map((await listInstruments(database)).map((instrument) => [instrument.symbol, instrument]));
}

async function allIds(database: Database): Promise<DeploymentId[]> {
  const rows = await database.selectFrom('deployments').select('id').orderBy('id').execute();
  return rows.map((row) => row.id as DeploymentId);
}

async function allDeployments(database: Database): Promise<TradingDeployment[]> {
  return loadTradingDeployments(database, await allIds(database), 'unlocked');
}

/** Every instrument here is quoted in dollars or counts dollars, so its own price is the only rate needed. */
const NO_MARKS = new Map<Symbol, number>();

/** The return bridge shows such a day with a residual. */
async function findUnexplainedDays(database: Database): Promise<Violation[]> {
  const instruments = await instrumentMap(database);
  const violations: Violation[] = [];
  // One at a time: all books at once would not fit into memory.
  for (const id of await allIds(database)) {
    const books = await readBooksOf(database, id);
    for (const { date, value, explained } of actualDays(books!, instruments, NO_REFERENCES))
      if (value !== explained) violations.push({ deployment_id: id, date, value, explained });
  }
  return violations;
}

const NO_REFERENCES = new Map<string, number>();
