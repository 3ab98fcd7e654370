// Whether an adjustment approved by two people can be booked now, and what is booked then.
import { hasEnded, type DeploymentStatus } from '../lifecycle/status.ts';
import { type AdjustedTrade, type Adjustment, shortfallOf } from '../market/adjustment.ts';
import type { OrderPurpose } from '../order/order.ts';
import type { ExecutionId, OrderId, Symbol } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';

export type AdjustmentFacts = {
  readonly symbol: Symbol;
  readonly isInCatalogue: boolean;
  readonly status: DeploymentStatus;
  /** Null when its strategy's permissions are unknown. */
  readonly mayBeShort: boolean | null;
  readonly isEndOfDayProcessed: boolean;
  /** The deployment's position in the instrument, signed. */
  readonly held: Quantity;
  readonly openOrders: readonly {
    readonly id: OrderId;
    readonly symbol: Symbol;
    readonly purpose: OrderPurpose;
    /** Decided, and not sent yet. */
    readonly isIntended: boolean;
  }[];
  /** The booked execution to reverse, and how many units one of its units has become. */
  readonly undone: UndoneExecution | { readonly missing: ExecutionId } | null;
  /** The new booking, in units of its execution day, and how many units one of them has become. */
  readonly booked: (AdjustedTrade & { readonly ratio: number }) | null;
  /** Whether the deployment gives up what was traded externally. */
  readonly isOfExternalTrade: boolean;
};

export type UndoneExecution = AdjustedTrade & {
  readonly orderId: OrderId | null;
  readonly profit: Micro;
  readonly ratio: number;
};

/** Why an adjustment can never be booked. */
export type VoidReason =
  | { readonly code: 'changed' | 'deployment_ended' | 'short_not_allowed' }
  | { readonly code: 'execution_not_booked'; readonly execution: ExecutionId }
  | { readonly code: 'not_in_catalogue'; readonly symbol: string }
  | { readonly code: 'not_held'; readonly symbol: Symbol; readonly units: Quantity };

export type AdjustmentDecision =
  | { readonly outcome: 'book'; readonly adjustment: Adjustment }
  | { readonly outcome: 'wait' }
  | { readonly outcome: 'void'; readonly reason: VoidReason };

export function decideAdjustment(facts: AdjustmentFacts): AdjustmentDecision {
  const { symbol, undone, booked, held, mayBeShort, isOfExternalTrade } = facts;
  if (!facts.isInCatalogue) return never({ code: 'not_in_catalogue', symbol });
  if (hasEnded(facts.status) || facts.status === 'pending') return never({ code: 'deployment_ended' });
  if (undone !== null && 'missing' in undone)
    return never({ code: 'execution_not_booked', execution: undone.missing });
  if (isUnderWay(facts, undone) || mayBeShort === null || !facts.isEndOfDayProcessed)
    return { outcome: 'wait' };
  const books = booked && unitsOfNow(booked);
  const undoes = undone && { ...unitsOfNow(undone), profit: undone.profit };
  const adjustment: Adjustment = { type: 'adjustment', symbol, undoes, books };
  if (isOfExternalTrade && !closesOnly(held, books?.units ?? quantity(0)))
    return never({ code: 'not_held', symbol, units: quantity(Math.abs(books?.units ?? 0)) });
  const shortfall = mayBeShort ? 0 : shortfallOf(held, adjustment);
  if (shortfall === 0) return { outcome: 'book', adjustment };
  // Only the broker can change an execution, so later trades do not matter; units that people name can be named again.
  if (undone === null) return never({ code: 'short_not_allowed' });
  return { outcome: 'book', adjustment: { ...adjustment, shortfall: quantity(shortfall) } };
}

/** For an adjustment of a difference judged this way; null when it may be booked in this respect. */
export function decideDifference(
  judged: 'unchanged' | 'waits' | 'changed',
): Exclude<AdjustmentDecision, { outcome: 'book' }> | null {
  if (judged === 'unchanged') return null;
  return judged === 'waits' ? { outcome: 'wait' } : { outcome: 'void', reason: { code: 'changed' } };
}

function never(reason: VoidReason): AdjustmentDecision {
  return { outcome: 'void', reason };
}

/**
 * The fills of such an order are still to be reported, and it was sized for the position as booked. The order whose own
 * execution is reversed has that quantity to fill again.
 */
function isUnderWay({ openOrders, symbol }: AdjustmentFacts, undone: UndoneExecution | null): boolean {
  return openOrders.some(
    (order) =>
      order.id !== undone?.orderId &&
      order.symbol === symbol &&
      order.purpose !== 'protective' &&
      !order.isIntended,
  );
}

/** In the deployment's current units: splits since then have changed their number. */
function unitsOfNow({
  units,
  price,
  commission,
  ratio,
}: AdjustedTrade & { readonly ratio: number }): AdjustedTrade {
  return { units: timesRatio(units, ratio), price: price / ratio, commission };
}

export function timesRatio(units: Quantity, ratio: number): Quantity {
  return ratio === 1 ? units : quantity(roundHalfEven(units * ratio));
}

function closesOnly(held: Quantity, units: Quantity): boolean {
  return units !== 0 && Math.sign(units) === -Math.sign(held) && Math.abs(units) <= Math.abs(held);
}
