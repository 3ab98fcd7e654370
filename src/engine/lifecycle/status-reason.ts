// Why a deployment is in its state, or not yet in the requested one: a code of a closed list with its parameters.
// `rules/reasons/status-reason.ts` turns it into a sentence.
import type { OrderId, Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import type { OrderPurpose, Side } from '../order/order.ts';
import type { DeploymentStatus } from './status.ts';

export type StatusReason =
  | GateReason
  /** `atBroker`: orders that may still fill there, with their cancellation requested. */
  | { readonly code: 'paused'; readonly keepsStops: boolean; readonly atBroker: readonly NamedOrder[] }
  | { readonly code: 'closing'; readonly atBroker: readonly NamedOrder[] }
  | { readonly code: 'drawdown_limit'; readonly limitPercent: number }
  /** `from`: the state that it was in. */
  | { readonly code: 'quarantined'; readonly failing: FailingTask; readonly from: DeploymentStatus };

/** What prevents a deployment from starting or resuming. */
export type GateReason =
  | { readonly code: 'broker_not_connected' | 'agreement_not_signed' | 'fee_unpaid' | 'risk_profile_missing' }
  /** Made before the account's cash was known: the broker has not reported it yet, or it is too little. */
  | { readonly code: 'cash_not_reported' | 'cash_not_enough' }
  /** The strategy is full: it waits for its turn in the queue. */
  | { readonly code: 'awaits_capacity' }
  | { readonly code: 'not_suitable'; readonly strategyScore: RiskScore; readonly clientScore: RiskScore };

/** From 1, the least risky, to 5. */
type RiskScore = 1 | 2 | 3 | 4 | 5;

export type NamedOrder = { readonly side: Side; readonly quantity: Quantity; readonly symbol: Symbol };

export type OpenOrder = NamedOrder & {
  readonly id: OrderId;
  /** 'intended' has not left; 'working' is at the broker. */
  readonly status: string;
  readonly purpose: OrderPurpose;
};

/** The trader's tasks for single deployments. One that keeps failing at any of them is quarantined. */
export type TradingTask =
  | 'life-cycle'
  | 'fan-out'
  | 'mark'
  | 'closing-mark'
  | 'tripwire'
  | 'protective-stops'
  | 'end-of-day'
  | 'billing'
  | 'flows';

/** The task that kept failing for a deployment; `symbol` where it runs per instrument held. */
export type FailingTask = { readonly task: TradingTask; readonly symbol: Symbol | null };

/** The open orders that may still fill at the broker. A protective stop stays there until an exit replaces it. */
export function stillAtBroker(openOrders: readonly OpenOrder[]): NamedOrder[] {
  return openOrders
    .filter(({ status, purpose }) => status !== 'intended' && purpose !== 'protective')
    .map(({ side, quantity, symbol }) => ({ side, quantity, symbol }));
}

/** Whether both have the same code and parameters. */
export function isSameStatusReason(one: StatusReason | null, other: StatusReason | null): boolean {
  return isSame(one, other);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [ours, theirs] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    ours.length === theirs.size &&
    ours.every(([field, value]) => theirs.has(field) && isSame(value, theirs.get(field)))
  );
}
