// The changes that one decision makes to one deployment, not yet written: one transaction commits all of them.
import type { DeploymentId, OrderId, TargetId, UserId } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { DecisionRecord } from '../../decision/decision-record.ts';
import type { RefusedOrder } from '../../order/order.ts';
import type { LedgerPosting } from './ledger-posting.ts';
import type { TradingNotice } from './notice-facts.ts';
import type { NewOrder, OrderTransition } from '../orders/order-record.ts';
import type { EndReason } from '../orders/order-reason.ts';
import type { Holdings, TradingDeployment } from './trading-deployment.ts';

export type StateTransition = {
  readonly before: TradingDeployment;
  readonly after: TradingDeployment;
  readonly at: Instant;
  /** Orders that have not left and never will. */
  readonly withdrawal: Withdrawal | null;
  readonly orderUpdates: readonly OrderTransition[];
  readonly orders: readonly NewOrder[];
  readonly postings: readonly LedgerPosting[];
  readonly receipts: readonly Receipt[];
  readonly notices: readonly NewNotice[];
  readonly equityMarks: readonly EquityMark[];
};

export type Withdrawal = { readonly orders: readonly OrderId[]; readonly reason: EndReason };

/** Records that an event led to a decision, and what was not ordered then. */
export type Receipt = {
  readonly deploymentId: DeploymentId;
  readonly targetId: TargetId | null;
  readonly at: Instant;
  /**
   * The event: 'target', 'mark', 'fill:<client order id>', 'order_ended:<client order id>', 'resize_exit:<client order id>',
   * 'liquidate:<id>', '<holding event>:<symbol>', 'protective-stops'.
   */
  readonly cause: string;
  readonly refusals: readonly RefusedOrder[];
  /** Of a target: what the decision was made from. */
  readonly decision: DecisionRecord | null;
};

export type NewNotice = {
  readonly userId: UserId;
  readonly deploymentId: DeploymentId | null;
  readonly facts: TradingNotice;
  /** The event that it belongs to, such as 'fill:<account>:<execution>': one event, one notice. */
  readonly cause: string;
  /** The decision that it follows from: notices of one decision are shown together. */
  readonly decision?: string;
  /** Trading clock. */
  readonly at: Instant;
};

/** The last valuation of a trading day, with the benchmark's close. */
export type EquityMark = {
  readonly deploymentId: DeploymentId;
  readonly date: IsoDate;
  readonly at: Instant;
  readonly cash: Micro;
  readonly positions: Micro;
  readonly equity: Micro;
  /** What was held, each at the price of the valuation. */
  readonly holdings: Holdings;
  /** In the benchmark's own units; null keeps the existing value. */
  readonly benchmark: number | null;
  /** Whether it followed its strategy in full: the next day then tells of the strategy, and of nothing else. */
  readonly follows: boolean;
};

/** A transition that changes nothing yet. */
export function noTransition(record: TradingDeployment, at: Instant): StateTransition {
  return {
    before: record,
    after: record,
    at,
    withdrawal: null,
    orderUpdates: [],
    orders: [],
    postings: [],
    receipts: [],
    notices: [],
    equityMarks: [],
  };
}
