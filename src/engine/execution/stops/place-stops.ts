// Brings the stops of one deployment in line with its positions: intents that no longer fit are withdrawn, missing ones
// are written. Whether a stop may leave is checked when it is sent, as for every other order.
import { SECOND_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import { newOrder } from '../deployment/apply-event.ts';
import type { DeploymentSnapshot } from '../deployment/deployment-snapshot.ts';
import { missingStops, outdatedIntents, type StopAttempts, type StopTerms } from './protective-stops.ts';
import { noTransition, type StateTransition } from '../deployment/state-transition.ts';
import type { TradingMarket } from '../deployment/trading-market.ts';

/** Null when there is nothing to do. */
export function placeStops(
  { record, state, openOrders }: DeploymentSnapshot,
  { terms, attempts }: { readonly terms: StopTerms; readonly attempts: readonly StopAttempts[] },
  { now, marks, exceptions }: Pick<TradingMarket, 'now' | 'marks' | 'exceptions'>,
): StateTransition | null {
  const plan = { deployment: record, state, openOrders, terms, marks, exceptions, attempts, now };
  const outdated = outdatedIntents(plan).map(({ id }) => id);
  const left = openOrders.filter(({ id }) => !outdated.includes(id));
  const orders = missingStops({ ...plan, openOrders: left }).map((order) => newOrder(order, record, null));
  if (outdated.length === 0 && orders.length === 0) return null;
  const cause = 'protective-stops';
  const receipt = { deploymentId: record.id, targetId: null, at: now, cause, refusals: [], decision: null };
  return {
    ...noTransition(record, now),
    withdrawal: outdated.length === 0 ? null : { orders: outdated, reason: { code: 'position_changed' } },
    orders,
    receipts: orders.length === 0 ? [] : [receipt],
  };
}

/** The state at the last look for missing stops. */
export type StopLook = {
  /** Null before the first look. */
  readonly lookedAt: WallInstant | null;
  /** The number of fills and adjustments booked and orders ended by then. */
  readonly changesSeen: number;
};

/** At once after a fill, an adjustment or the end of an order, otherwise every few seconds: a limit may have changed. */
export function isStopLookDue(
  { lookedAt, changesSeen }: StopLook,
  changes: number,
  realNow: WallInstant,
): boolean {
  if (lookedAt === null || (changes > 0 && changes !== changesSeen)) return true;
  return msBetween(lookedAt, realNow) >= LOOK_EVERY_MS;
}

const LOOK_EVERY_MS = 5 * SECOND_MS;
