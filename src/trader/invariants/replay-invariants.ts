// Replays all booked executions through the engine and compares the result with the stored one: the second opinion.
import { fillsInBookingOrder } from '#records/invariants/fills-in-booking-order.ts';
import { restoreApprovedOrder } from '#engine/order/approved-order.ts';
import { applyFill, openPortfolio } from '#engine/portfolio/apply-fill.ts';
import { applyPositionEvent } from '#engine/portfolio/apply-position-event.ts';
import type { Portfolio } from '#engine/portfolio/portfolio.ts';
import { valuePosition } from '#engine/portfolio/value.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { type BookedPositionEvent, listPositionEvents } from '#records/portfolio/position-events.ts';
import { sumStatedChanges } from '#records/cash/stated-changes.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { ORDER_STATUSES } from '#engine/order/order-status.ts';
import { listOrders } from '#records/execution/orders.ts';
import { listHoldings } from '#records/portfolio/positions.ts';
import type { Invariant, Violation } from '#records/invariants/invariant.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { add, type Micro } from '#units/money.ts';
import { quantityText } from '#units/quantity.ts';

type Database = Parameters<Invariant['find']>[0];

export const REPLAY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    says: 'Every client order id derives from its order by the documented rule',
    find: findUnderived,
  },
  {
    id: 'I2',
    says: 'Cash, realised result and positions are what the executions, splits, dividends, swaps, expiries, deliveries, adjustments and figures of the broker make of the investment',
    find: findDiverging,
  },
  { id: 'I4', says: 'Each position is worth what the engine says at its mark', find: findMisvalued },
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
    let portfolio = openPortfolio(record.investment);
    const differ = (symbol: Symbol, realized: Micro, replayed: Micro) => {
      if (replayed !== realized) violations.push({ deployment_id: record.id, symbol, realized, replayed });
    };
    const happens = ({ event, entitled, at, realized }: BookedPositionEvent) => {
      const terms = { instruments, marks: NO_MARKS, at, entitled };
      const applied = applyPositionEvent(portfolio, event, terms);
      if (applied === null) return;
      if (event.type === 'adjustment') differ(event.symbol, realized, applied.realizedPnl);
      portfolio = applied.portfolio;
    };
    const events = await listPositionEvents(database, record.id);
    for (const { fill, realized, entry } of await fillsInBookingOrder(database, record.id)) {
      while (events.length > 0 && events[0]!.afterEntry < entry) {
        happens(events.shift()!);
      }
      const instrument = instruments.get(fill.symbol);
      if (instrument === undefined) throw new Error(`no instrument ${fill.symbol}`);
      const applied = applyFill(portfolio, fill, instrument, NO_MARKS);
      differ(fill.symbol, realized, applied.realizedPnl);
      portfolio = applied.portfolio;
    }
    for (const event of events) happens(event);
    const stated = await sumStatedChanges(database, record.id);
    const { cash, realized } = portfolio;
    portfolio = { ...portfolio, cash: add(cash, stated), realized: add(realized, stated) };
    violations.push(...differences(record, portfolio));
  }
  return violations;
}

function differences(record: TradingDeployment, portfolio: Portfolio): Violation[] {
  const violations: Violation[] = [];
  const differ = (what: string, stored: unknown, replayed: unknown) => {
    if (stored !== replayed) violations.push({ deployment_id: record.id, what, stored, replayed });
  };
  differ('cash_micro', record.cash, portfolio.cash);
  differ('realized_micro', record.realized, portfolio.realized);
  for (const symbol of new Set([...record.holdings.keys(), ...portfolio.positions.keys()])) {
    const stored = record.holdings.get(symbol);
    const replayed = portfolio.positions.get(symbol);
    differ(
      `quantity of ${symbol}`,
      stored && quantityText(stored.quantity),
      replayed && quantityText(replayed.quantity),
    );
    differ(`cost of ${symbol}`, stored?.cost, replayed?.cost);
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
