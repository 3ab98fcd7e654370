// Money that a person adds to a running deployment or withdraws from it. Only the books of the deployment change: nothing moves at the
// broker. `rules/reasons/flow-reason.ts` turns a reason into a sentence.
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';

export const FLOW_KINDS = ['deposit', 'withdrawal'] as const;
export type FlowKind = (typeof FLOW_KINDS)[number];

/** The last three are final. */
export const FLOW_STATUSES = ['pending', 'done', 'refused', 'cancelled'] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

/**
 * Why one waits, or was refused. awaits_sales: positions are being reduced. awaits_capacity: the strategy is full. paused: they are not while trading is paused.
 * nothing_left: the deployment is worth nothing. nothing_freed: no sale freed anything in time.
 */
export const FLOW_REASONS = [
  'awaits_sales',
  'awaits_capacity',
  'paused',
  'cash_not_reported',
  'cash_not_enough',
  'broker_not_connected',
  'agreement_not_signed',
  'fee_unpaid',
  'risk_profile_missing',
  'not_suitable',
  'frozen',
  'closing',
  'quarantined',
  'not_begun',
  'below_minimum',
  'nothing_left',
  'nothing_freed',
] as const;
export type FlowReason = (typeof FLOW_REASONS)[number];

export type PendingFlow = {
  readonly id: string;
  readonly deploymentId: DeploymentId;
  readonly kind: FlowKind;
  readonly requested: Micro;
  readonly reason: FlowReason | null;
  /** Of the strategy: a deployment is not left below it. */
  readonly minimum: Micro;
  /** The flow of the real deployment that its shadow repeats. */
  readonly repeats: string | null;
  /** Trading clock. */
  readonly requestedAt: Instant;
  readonly sizedAt: Instant | null;
};

/** A deposit ends unmade after so long without the broker's word on the cash: it was wanted at another time. */
export const DEPOSIT_DAYS = 1;
/** A withdrawal ends after so long with what has been freed by then. */
export const WITHDRAWAL_DAYS = 7;

/** When one that waits ends at the latest. */
export function flowEndsBy({ kind, requestedAt }: Pick<PendingFlow, 'kind' | 'requestedAt'>): Instant {
  return instant(requestedAt + (kind === 'deposit' ? DEPOSIT_DAYS : WITHDRAWAL_DAYS) * DAY_MS);
}
