// Snapshots of deployments, and the market that they are decided on, for tests.
import {
  type DeploymentSnapshot,
  deploymentSnapshots,
} from '#engine/execution/deployment/deployment-snapshot.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import type { TradingMarket } from '#engine/execution/deployment/trading-market.ts';
import { valueHoldings } from '#engine/execution/deployment/value-holdings.ts';
import type { Position } from '#engine/portfolio/portfolio.ts';
import type {
  BrokerConnectionId,
  DeploymentId,
  StrategyVersionId,
  Symbol,
  TargetId,
  UserId,
} from '#units/identifiers.ts';
import { notional, toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { NO_EXCEPTIONS } from '#engine/market/calendar-exceptions.ts';
import { marksOf, TERMS } from './deployment.ts';
import { MONDAY, openOrder } from './open-order.ts';

const VERSION = 'V' as StrategyVersionId;
const CONNECTION = 'C' as BrokerConnectionId;
export const TARGET = 'T' as TargetId;

export const MARKET: TradingMarket = {
  now: MONDAY,
  instruments: TERMS.instruments,
  marks: marksOf({ AAA: 100, BBB: 50, CCC: 20 }),
  pricedAt: MONDAY,
  unpriced: [],
  doubted: new Map(),
  exceptions: NO_EXCEPTIONS,
  terms: TERMS,
  versions: new Map([
    [VERSION, { allowsShort: false, calendar: 'us-equity', definition: { benchmark: 'CCC' as Symbol } }],
  ]),
};

type Asked = Partial<TradingDeployment> & { readonly units?: { readonly [symbol: string]: number } };

/** An active deployment with 10,000 dollars of cash and positions entered at the marks of MARKET. */
export function tradingDeployment({ units = {}, ...change }: Asked = {}): TradingDeployment {
  const positions = new Map(
    Object.entries(units).map(([name, count]): [Symbol, Position] => {
      const symbol = name as Symbol;
      const quantity = toQuantity(count);
      return [symbol, { symbol, quantity, cost: notional(quantity, MARKET.marks.get(symbol)!, 1) }];
    }),
  );
  const cash = toMicro(10_000);
  const portfolio = { cash, positions, realized: ZERO_MICRO };
  const { holdings, equity } = valueHoldings(portfolio, new Map(), MONDAY, MARKET);
  return {
    id: 'D' as DeploymentId,
    userId: 'U' as UserId,
    versionId: VERSION,
    connectionId: CONNECTION,
    vendor: 'sandbox',
    strategyName: 'Sample',
    status: 'active',
    reason: null,
    requestedStatus: null,
    investment: cash,
    withdrawing: ZERO_MICRO,
    returnBase: cash,
    limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    reaction: null,
    cash,
    realized: ZERO_MICRO,
    equity,
    peakEquity: equity,
    frozenAt: null,
    freezeLiftedAt: null,
    stoppedOut: new Map(),
    appliedTargetId: TARGET,
    revision: 1,
    deployedAt: MONDAY,
    markedAt: MONDAY,
    endedAt: null,
    holdings,
    ...change,
  };
}

export function orderRecord({
  targetId = TARGET,
  ...asked
}: Parameters<typeof openOrder>[0] & { readonly targetId?: TargetId | null } = {}): OrderRecord {
  const booked = { filledValue: ZERO_MICRO, realized: ZERO_MICRO };
  return { ...openOrder(asked), connectionId: CONNECTION, targetId, pricedAt: MONDAY, ...booked };
}

export function snapshotOf(
  record: TradingDeployment,
  openOrders: readonly OrderRecord[] = [],
): DeploymentSnapshot {
  const targets = new Map([[TARGET, { id: TARGET, weights: [] }]]);
  const loaded = { records: [record], openOrders, rejectedExits: [], targets, attempts: [] };
  return deploymentSnapshots(loaded, MARKET)[0]!;
}
