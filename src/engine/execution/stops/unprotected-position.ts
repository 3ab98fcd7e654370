// A position whose stop the broker refuses. It is tried again ever more rarely, and its owner hears of it once: an episode
// lasts from the first refusal until the broker accepts a stop of the position.
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '#units/instant.ts';
import { type BackOff, waitAfter } from '../back-off.ts';
import type { EndReason, HoldReason } from '../orders/order-reason.ts';

export type UnprotectedPosition = {
  readonly deploymentId: DeploymentId;
  readonly symbol: Symbol;
  /** Why the last stop ended, or has not left. */
  readonly reason: EndReason | HoldReason;
  /** Stops refused one after the other, or how often the last one could not be sent. */
  readonly refusals: number;
  /** The position and the reason in short: who decides about them decides about these. */
  readonly seen: string;
};

/** The name of a position in its account. */
export function positionSubject({
  deploymentId,
  symbol,
}: Pick<UnprotectedPosition, 'deploymentId' | 'symbol'>): string {
  return `${deploymentId} ${symbol}`;
}

/** Whether a refused stop is not tried again yet. Trading clock. */
export function isCooling(refusals: number, refusedAt: Instant | null, now: Instant): boolean {
  return refusedAt !== null && refusals > 0 && now - refusedAt < waitAfter(refusals, STOP_AGAIN);
}

export const STOP_AGAIN: BackOff = { firstMs: 15 * MINUTE_MS, maxMs: DAY_MS };
