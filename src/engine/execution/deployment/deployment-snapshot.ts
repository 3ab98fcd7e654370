// A deployment with everything that a decision about it needs: its records, its open orders, and the state that the
// engine steps from.
import type { DeploymentId, Symbol, TargetId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant } from '#units/instant.ts';
import { quantity } from '#units/quantity.ts';
import type { DeploymentState, FollowedTarget } from '../../deployment-state.ts';
import { effectivePermission } from '../../lifecycle/effective-status.ts';
import type { Marks } from '../../market/instrument.ts';
import { attemptKey } from '../../order/client-order-id.ts';
import { isOpen } from '../../order/order-status.ts';
import type { WorkingOrder } from '../../order/order.ts';
import type { SizingLimits } from '../../risk/sizing-limits.ts';
import { isProtective, type OpenOrder } from '../orders/open-order.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import type { StateTransition } from './state-transition.ts';
import type { TradingDeployment } from './trading-deployment.ts';
import type { TradingMarket } from './trading-market.ts';

export type DeploymentSnapshot = {
  readonly record: TradingDeployment;
  readonly state: DeploymentState;
  readonly openOrders: readonly OrderRecord[];
};

/** The recorded facts about deployments. */
export type LoadedDeployments = {
  readonly records: readonly TradingDeployment[];
  readonly openOrders: readonly OrderRecord[];
  /** Exits that the broker turned away since `coolingSince`. */
  readonly rejectedExits: readonly OrderRecord[];
  readonly targets: ReadonlyMap<TargetId, FollowedTarget>;
  readonly attempts: readonly AttemptCount[];
};

export type AttemptCount = {
  readonly deploymentId: DeploymentId;
  readonly cause: string;
  readonly symbol: Symbol;
  readonly attempts: number;
};

export function deploymentSnapshots(
  { records, openOrders, rejectedExits, targets, attempts }: LoadedDeployments,
  market: Pick<TradingMarket, 'marks' | 'versions'>,
  sizingAt: (vendor: string) => SizingLimits | undefined = () => undefined,
): DeploymentSnapshot[] {
  const ofDeployment = (order: OrderRecord) => order.decided.deploymentId;
  const ordersOf = Map.groupBy(openOrders, ofDeployment);
  const coolingOf = Map.groupBy(rejectedExits, ofDeployment);
  const attemptsOf = byDeployment(attempts);
  return records.map((record) => {
    const open = ordersOf.get(record.id) ?? [];
    const target = record.appliedTargetId === null ? undefined : targets.get(record.appliedTargetId);
    return {
      record,
      openOrders: open,
      state: {
        deploymentId: record.id,
        permission: effectivePermission(record),
        allowsShort: market.versions.get(record.versionId)?.allowsShort ?? false,
        limits: record.limits,
        reaction: record.reaction ?? undefined,
        sizing: sizingAt(record.vendor),
        portfolio: { cash: record.cash, positions: record.holdings, realized: record.realized },
        ...(record.withdrawing > 0 && { withdrawing: record.withdrawing }),
        marks: withStoredMarks(record, market.marks),
        peakEquity: record.peakEquity,
        frozenAt: record.frozenAt,
        stoppedOut: record.stoppedOut,
        working: [...open.filter((one) => !isProtective(one)), ...(coolingOf.get(record.id) ?? [])].map(
          workingOrder,
        ),
        target: target ? { id: target.id, weights: target.weights } : null,
        attempts: attemptsOf.get(record.id) ?? new Map(),
      },
    };
  });
}

/**
 * The snapshot after a transition that changed no more than the deployment itself and its open orders: what else the engine
 * reads is as it was.
 */
export function snapshotAfter(
  { state, openOrders }: DeploymentSnapshot,
  { after, orderUpdates }: Pick<StateTransition, 'after' | 'orderUpdates'>,
  market: Pick<TradingMarket, 'marks'>,
): DeploymentSnapshot {
  const updates = new Map(orderUpdates.map(({ id, update }) => [id, update]));
  const changed = openOrders.map((order): OrderRecord => ({ ...order, ...updates.get(order.id) }));
  const nowOf = new Map(changed.map((order) => [order.decided.clientOrderId, order]));
  const working = state.working.flatMap((one) => {
    const order = nowOf.get(one.clientOrderId);
    if (order === undefined) return [one];
    return isOpen(order.status) ? [workingOrder(order)] : [];
  });
  return {
    record: after,
    openOrders: changed.filter(({ status }) => isOpen(status)),
    state: {
      ...state,
      permission: effectivePermission(after),
      portfolio: { cash: after.cash, positions: after.holdings, realized: after.realized },
      marks: withStoredMarks(after, market.marks),
      peakEquity: after.peakEquity,
      frozenAt: after.frozenAt,
      stoppedOut: after.stoppedOut,
      working,
    },
  };
}

/** An exit that the broker has turned away since then counts as working, so that it is not sent again at every price. */
export function coolingSince(now: Instant): Instant {
  return (now - COOLING_MS) as Instant;
}

const COOLING_MS = 4 * HOUR_MS;

/** The market's prices; for a missing price, the last one that the position was valued at. */
function withStoredMarks({ holdings }: TradingDeployment, marks: Marks): Marks {
  const missing = [...holdings.values()].filter(({ symbol }) => !marks.has(symbol));
  if (missing.length === 0) return marks;
  return new Map([...marks, ...missing.map(({ symbol, markPrice }) => [symbol, markPrice] as const)]);
}

/**
 * Excludes protective stops: they delay no decision and use no budget, because they are cancelled before any other
 * order of their position leaves.
 */
function workingOrder({ decided, filled }: OpenOrder): WorkingOrder {
  const { clientOrderId, symbol, side, limitPrice, purpose } = decided;
  const remaining = quantity(Math.max(0, decided.quantity - filled));
  return { clientOrderId, symbol, side, remaining, limitPrice, purpose };
}

/** Under attemptKey. */
function byDeployment(counts: readonly AttemptCount[]): Map<DeploymentId, Map<string, number>> {
  const attempts = new Map<DeploymentId, Map<string, number>>();
  for (const { deploymentId, cause, symbol, attempts: count } of counts) {
    let ofDeployment = attempts.get(deploymentId);
    if (!ofDeployment) attempts.set(deploymentId, (ofDeployment = new Map()));
    ofDeployment.set(attemptKey(cause, symbol), count);
  }
  return attempts;
}
