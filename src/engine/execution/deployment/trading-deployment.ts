// A deployment as trading sees it: what a decision needs to know, and what it changes.
import type {
  BrokerConnectionId,
  DeploymentId,
  StrategyVersionId,
  Symbol,
  TargetId,
  UserId,
} from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { CommandedStatus } from '../../lifecycle/effective-status.ts';
import type { StatusReason } from '../../lifecycle/status-reason.ts';
import type { Position } from '../../portfolio/portfolio.ts';
import type { PositionValue } from '../../portfolio/value.ts';
import type { Limits } from '../../risk/limits.ts';
import type { TripwireReaction } from '../../risk/tripwire.ts';

/** A position and its value at its mark; money in US dollars except `cost` (see Position). */
export type Holding = Position & PositionValue & { readonly markPrice: number; readonly markedAt: Instant };

export type Holdings = ReadonlyMap<Symbol, Holding>;

export type TradingDeployment = CommandedStatus & {
  readonly id: DeploymentId;
  readonly userId: UserId;
  readonly versionId: StrategyVersionId;
  readonly connectionId: BrokerConnectionId;
  /** Of its connection's broker. */
  readonly vendor: string;
  readonly strategyName: string;
  readonly reason: StatusReason | null;
  /** Put in less taken out. */
  readonly investment: Micro;
  /** What withdrawals ask for that are not done yet: positions are sized without it. */
  readonly withdrawing: Micro;
  /** The value at which the time-weighted return is zero. */
  readonly returnBase: Micro;
  readonly limits: Limits;
  /** Null while the tripwire limits nothing. */
  readonly reaction: TripwireReaction | null;
  readonly cash: Micro;
  readonly realized: Micro;
  readonly equity: Micro;
  readonly peakEquity: Micro;
  readonly frozenAt: Instant | null;
  /** When its owner last ended a freeze: the peak is that day's value or a later one. */
  readonly freezeLiftedAt: Instant | null;
  readonly stoppedOut: ReadonlyMap<Symbol, 'long' | 'short'>;
  /** The target that its orders follow; null when the newest one is still to be applied. */
  readonly appliedTargetId: TargetId | null;
  readonly revision: number;
  readonly deployedAt: Instant;
  readonly markedAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly holdings: Holdings;
};
