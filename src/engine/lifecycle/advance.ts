// The next step of a deployment's life: a pending command is carried out or dropped, a start waits for its gates, a
// close-out continues until nothing is held and nothing is in flight. One step at a time; null when there is none.
import type { OrderId, Symbol } from '#units/identifiers.ts';
import type { EndReason } from '../execution/orders/order-reason.ts';
import type { CommandedStatus } from './effective-status.ts';
import { canMove, type DeploymentStatus, type RequestedStatus } from './status.ts';
import {
  type FailingTask,
  type GateReason,
  isSameStatusReason,
  type NamedOrder,
  type OpenOrder,
  type StatusReason,
  stillAtBroker,
} from './status-reason.ts';

export type LifecycleSnapshot = CommandedStatus & {
  readonly reason: StatusReason | null;
  readonly held: readonly Symbol[];
  readonly openOrders: readonly OpenOrder[];
  /** Where an order is in flight that an exit must wait for. */
  readonly busy: ReadonlySet<Symbol>;
};

export type LifecycleTransition = {
  readonly status: DeploymentStatus;
  readonly requestedStatus: RequestedStatus | null;
  readonly reason: StatusReason | null;
  /** Orders to withdraw because of it: none of them has left. */
  readonly withdrawal: Withdrawal | null;
  /** 'begin': follows its strategy from the newest target on. 'close_positions': orders exits of all positions. */
  readonly effect: 'begin' | 'release_target' | 'close_positions' | 'end' | null;
  readonly notice: LifecycleNotice | null;
};

export type LifecycleNotice =
  | { readonly kind: 'trading_started' | 'resumed' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'liquidated' }
  | { readonly kind: 'paused' | 'stopping'; readonly atBroker: readonly NamedOrder[] }
  | { readonly kind: 'failed'; readonly failing: FailingTask };

export type Withdrawal = {
  readonly orders: readonly OrderId[];
  readonly reason: Extract<EndReason, { code: 'paused' | 'deployment_stopped' }>;
};

/** Whether the step would start trading, so that its gates must be known. */
export function asksToStart({ status, requestedStatus }: CommandedStatus): boolean {
  if (isEndRequest(requestedStatus)) return false;
  return status === 'pending' || requestedStatus === 'active';
}

/** `shutGate` matters only where `asksToStart`. */
export function advance(
  snapshot: LifecycleSnapshot,
  shutGate: GateReason | null,
): LifecycleTransition | null {
  const { status, requestedStatus } = snapshot;
  const closes = status === 'stopping' || status === 'liquidating';
  if (closes) return closeOut(snapshot);
  if (requestedStatus === 'stopped' || requestedStatus === 'liquidated')
    return beginClosing(snapshot, requestedStatus);
  if (asksToStart(snapshot)) return start(snapshot, shutGate);
  return requestedStatus === 'paused' ? pause(snapshot) : null;
}

function start(snapshot: LifecycleSnapshot, shutGate: GateReason | null): LifecycleTransition | null {
  const { status, requestedStatus, reason } = snapshot;
  if (requestedStatus === 'paused' || !canMove({ from: status, to: 'active', by: 'client' }))
    return dropCommand(snapshot);
  if (shutGate !== null) {
    // A start waits for its gates; a resume is a single request, which a shut gate refuses.
    const stillRequested = status === 'pending' ? requestedStatus : null;
    if (stillRequested === requestedStatus && isSameStatusReason(reason, shutGate)) return null;
    return { ...dropCommand(snapshot), requestedStatus: stillRequested, reason: shutGate };
  }
  return {
    status: 'active',
    requestedStatus: null,
    reason: null,
    withdrawal: null,
    effect: 'begin',
    notice: { kind: status === 'pending' ? 'trading_started' : 'resumed' },
  };
}

function pause(snapshot: LifecycleSnapshot): LifecycleTransition {
  const { status, openOrders } = snapshot;
  if (!canMove({ from: status, to: 'paused', by: 'client' })) return dropCommand(snapshot);
  const atBroker = stillAtBroker(openOrders);
  const keepsStops = openOrders.some((one) => one.status === 'working' && one.purpose === 'protective');
  return {
    status: 'paused',
    requestedStatus: null,
    reason: { code: 'paused', keepsStops, atBroker },
    withdrawal: withdrawing(openOrders, 'paused'),
    effect: null,
    notice: { kind: 'paused', atBroker },
  };
}

/** The first half of an end: no new orders, then the positions are closed. */
function beginClosing(snapshot: LifecycleSnapshot, requested: 'stopped' | 'liquidated'): LifecycleTransition {
  const { status, openOrders } = snapshot;
  if (status === 'pending' && isFlat(snapshot)) return end('stopped');
  const to = requested === 'stopped' ? 'stopping' : 'liquidating';
  const by = requested === 'stopped' ? 'client' : 'support';
  if (!canMove({ from: status, to, by })) return dropCommand(snapshot);
  const atBroker = stillAtBroker(openOrders);
  return {
    status: to,
    requestedStatus: null,
    reason: { code: 'closing', atBroker },
    withdrawal: withdrawing(openOrders, 'deployment_stopped'),
    effect: 'release_target',
    notice: { kind: 'stopping', atBroker },
  };
}

/** The second half: closes what is left, and ends once nothing is held and nothing is in flight. */
function closeOut(snapshot: LifecycleSnapshot): LifecycleTransition | null {
  const { status, requestedStatus, reason, held, openOrders, busy } = snapshot;
  if (isFlat(snapshot)) return end(status === 'stopping' ? 'stopped' : 'liquidated');
  const stays = { status, requestedStatus, reason, withdrawal: null, effect: null, notice: null };
  const entries = openOrders.filter(({ purpose }) => purpose === 'rebalance');
  const withdrawal = withdrawing(entries, 'deployment_stopped');
  if (withdrawal !== null) return { ...stays, withdrawal };
  if (held.every((symbol) => busy.has(symbol))) return null;
  return { ...stays, effect: 'close_positions' };
}

function end(status: 'stopped' | 'liquidated'): LifecycleTransition {
  return {
    status,
    requestedStatus: null,
    reason: null,
    withdrawal: null,
    effect: 'end',
    notice: { kind: status },
  };
}

/** A command that cannot be carried out in this state is dropped. */
function dropCommand({ status, reason }: LifecycleSnapshot): LifecycleTransition {
  return { status, requestedStatus: null, reason, withdrawal: null, effect: null, notice: null };
}

function isFlat({ held, openOrders }: LifecycleSnapshot): boolean {
  return held.length === 0 && openOrders.length === 0;
}

/** Of what has not left; null when all of it has. */
function withdrawing(
  openOrders: readonly OpenOrder[],
  code: Withdrawal['reason']['code'],
): Withdrawal | null {
  const orders = openOrders.filter(({ status }) => status === 'intended').map(({ id }) => id);
  return orders.length === 0 ? null : { orders, reason: { code } };
}

function isEndRequest(requested: RequestedStatus | null): boolean {
  return requested === 'stopped' || requested === 'liquidated';
}
