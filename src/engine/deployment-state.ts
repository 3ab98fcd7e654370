// What the engine knows of one deployment, and what it answers to an event. Plain data: the trader keeps it in the
// records, the backtest in memory.
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { TargetWeight } from './event.ts';
import type { TradingCosts } from './market/costs.ts';
import type { Instrument, Marks } from './market/instrument.ts';
import type { ApprovedOrder, RefusedOrder, WorkingOrder } from './order/order.ts';
import type { Portfolio } from './portfolio/portfolio.ts';
import type { Limits } from './risk/limits.ts';
import type { SizingLimits } from './risk/sizing-limits.ts';
import type { TripwireReaction } from './risk/tripwire.ts';
import type { TradingPermission } from './lifecycle/status.ts';

export type DeploymentState = {
  readonly deploymentId: DeploymentId;
  readonly permission: TradingPermission;
  readonly allowsShort: boolean;
  readonly limits: Limits;
  /** Of its broker; without it, sizes follow the instruments alone. */
  readonly sizing?: SizingLimits | undefined;
  /** While its returns have proved worse than the published ones, if its owner chose more than a notice. */
  readonly reaction?: TripwireReaction | undefined;
  readonly portfolio: Portfolio;
  /** Of its value: what withdrawals ask for that are not done yet. Absent for nothing. */
  readonly withdrawing?: Micro | undefined;
  readonly marks: Marks;
  /** Highest equity seen since the start. */
  readonly peakEquity: Micro;
  /** Set when the drawdown limit was passed; sticky. */
  readonly frozenAt: Instant | null;
  /** Positions closed by their stop loss or for margin: not entered again until a later target lets them go or turns them round. */
  readonly stoppedOut: ReadonlyMap<Symbol, 'long' | 'short'>;
  readonly working: readonly WorkingOrder[];
  /**
   * The target being followed. Purchases that its own sales must pay for are ordered when the last sale has ended,
   * so that nothing is ever borrowed.
   */
  readonly target: FollowedTarget | null;
  /** Orders made so far by attemptKey(cause, symbol), so that a repeated attempt gets its own client order id. */
  readonly attempts: ReadonlyMap<string, number>;
};

export type FollowedTarget = {
  readonly id: string;
  readonly weights: readonly TargetWeight[];
  /** What its sizes are shares of: the equity when it was first looked at. Without it, the equity of the moment. */
  readonly equity?: Micro;
};

/** What sizing must know besides the state. */
export type TradingTerms = {
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly costs: TradingCosts;
  /** How far beyond the reference price an order may fill: 0.03 is 3 percent. Buys are sized at that price. */
  readonly collar: number;
  /** Differences smaller than this share of equity are not traded. */
  readonly noTradeBand: number;
};

export type Notice =
  | { readonly type: 'frozen'; readonly drawdownPercent: number }
  | { readonly type: 'stop_loss'; readonly symbol: Symbol; readonly lossPercent: number }
  | { readonly type: 'margin_call'; readonly symbol: Symbol };

export type StepResult = {
  readonly state: DeploymentState;
  readonly orders: readonly ApprovedOrder[];
  readonly refusals: readonly RefusedOrder[];
  readonly notices: readonly Notice[];
};
