// What becomes of a request to add or withdraw money: it is done, waits or is refused. Promises that no more leaves a deployment than
// is free in it, that it is not left below its strategy's minimum, and that every request ends.
import { DAY_MS, type Instant } from '#units/instant.ts';
import { type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { type CommandedStatus, effectiveStatus } from '../../lifecycle/effective-status.ts';
import { type DeploymentStatus, hasEnded } from '../../lifecycle/status.ts';
import { type FlowReason, flowEndsBy, type PendingFlow } from './flow.ts';

export type FlowFacts = CommandedStatus & {
  /** Of the deployment, at the newest prices. */
  readonly equity: Micro;
  /** What it can give without borrowing: cash that no position, order or written option needs. */
  readonly free: Micro;
  /** Orders of it are under way. */
  readonly isBusy: boolean;
  /** What keeps it from getting more money; null for nothing, and for a withdrawal. */
  readonly shut: FlowReason | null;
  readonly now: Instant;
};

export type FlowDecision =
  | { readonly outcome: 'done'; readonly moved: Micro }
  | { readonly outcome: 'refused'; readonly reason: FlowReason }
  /** `sizes`: its positions are sized anew, without what is asked for. */
  | { readonly outcome: 'waits'; readonly reason: FlowReason; readonly sizes: boolean };

export function decideFlow(flow: PendingFlow, facts: FlowFacts): FlowDecision {
  const status = effectiveStatus(facts);
  if (hasEnded(status) || isToEnd(facts)) return refused('closing');
  if (status === 'failed') return refused('quarantined');
  if (status === 'pending') return refused('not_begun');
  return flow.kind === 'deposit' ? decideDeposit(flow, facts) : decideWithdrawal(flow, facts);
}

/** It is closing, or was asked to, whatever else it is: a paused one that is to stop sells nothing yet. */
export function isToEnd({ status, requestedStatus }: CommandedStatus): boolean {
  return [status, requestedStatus].some((one) => one !== null && ENDING.has(one));
}

function decideDeposit(flow: PendingFlow, facts: FlowFacts): FlowDecision {
  if (facts.status === 'frozen') return refused('frozen');
  // Its return could not be told from the amount.
  if (facts.equity <= 0) return refused('nothing_left');
  const { shut } = facts;
  if (shut === null) return { outcome: 'done', moved: flow.requested };
  // However long: its owner sees the place, and can cancel.
  if (shut === 'awaits_capacity') return { outcome: 'waits', reason: shut, sizes: false };
  if (shut === 'cash_not_reported' && facts.now < flowEndsBy(flow))
    return { outcome: 'waits', reason: shut, sizes: false };
  return refused(shut);
}

function decideWithdrawal(flow: PendingFlow, facts: FlowFacts): FlowDecision {
  const { equity, free, isBusy, now } = facts;
  const wanted = wholeCents(Math.min(flow.requested, subtract(equity, flow.minimum)));
  if (wanted <= 0) return refused('below_minimum');
  if (free >= wanted) return { outcome: 'done', moved: wanted };
  const freed = wholeCents(Math.min(wanted, Math.max(0, free)));
  const isFreed = !isBusy && flow.sizedAt !== null && freed >= wanted * ENOUGH;
  if (isFreed || now >= flowEndsBy(flow)) {
    return freed > 0 ? { outcome: 'done', moved: freed } : refused('nothing_freed');
  }
  if (effectiveStatus(facts) === 'paused') return { outcome: 'waits', reason: 'paused', sizes: false };
  const sizes = flow.sizedAt === null || (!isBusy && now >= flow.sizedAt + SIZED_AGAIN_MS);
  return { outcome: 'waits', reason: 'awaits_sales', sizes };
}

function refused(reason: FlowReason): FlowDecision {
  return { outcome: 'refused', reason };
}

function wholeCents(amount: number): Micro {
  return amount <= 0 ? ZERO_MICRO : micro(Math.floor(amount / MICRO_PER_CENT) * MICRO_PER_CENT);
}

const ENDING: ReadonlySet<DeploymentStatus> = new Set(['stopping', 'liquidating', 'stopped', 'liquidated']);
const MICRO_PER_CENT = 10_000;
/** Once no order is under way, what sales below their price have freed is what leaves. */
const ENOUGH = 0.99;
/** Orders of a day can end unfilled; the next session tries again. */
const SIZED_AGAIN_MS = DAY_MS;
