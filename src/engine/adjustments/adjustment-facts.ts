// The facts behind the decision on an adjustment: from the deployment, its account and the difference.
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import type { DeploymentSnapshot } from '../execution/deployment/deployment-snapshot.ts';
import { type AccountBook, isLastSessionProcessed } from '../execution/reconciliation/external-position.ts';
import type { BreakKind } from '../execution/reconciliation/reconcile-positions.ts';
import type { AdjustmentFacts, UndoneExecution } from './decide-adjustment.ts';
import type { AccountPosition } from './judge-difference.ts';

export type LoadedFacts = Pick<
  AdjustmentFacts,
  'isInCatalogue' | 'mayBeShort' | 'isEndOfDayProcessed' | 'booked'
> & {
  /** Of the deployment; null when nothing is reversed, or nothing of it is booked there. */
  readonly undone: UndoneExecution | null;
  /** The execution to reverse. */
  readonly undoes: ExecutionId | null;
  readonly answers: { readonly difference: string | null; readonly kind?: BreakKind };
};

export function adjustmentFacts(
  symbol: Symbol,
  { record, state, openOrders }: DeploymentSnapshot,
  { undone, undoes, answers, ...loaded }: LoadedFacts,
): AdjustmentFacts {
  return {
    symbol,
    isInCatalogue: loaded.isInCatalogue,
    status: record.status,
    mayBeShort: loaded.mayBeShort,
    isEndOfDayProcessed: loaded.isEndOfDayProcessed,
    held: state.portfolio.positions.get(symbol)?.quantity ?? ZERO_QUANTITY,
    openOrders: openOrders.map(({ id, decided, status }) => ({
      id,
      symbol: decided.symbol,
      purpose: decided.purpose,
      isIntended: status === 'intended',
    })),
    undone: undoneFacts(undone, undoes),
    booked: loaded.booked,
    isOfExternalTrade: answers.difference !== null && answers.kind === 'external_trade',
  };
}

function undoneFacts(undone: UndoneExecution | null, undoes: ExecutionId | null): AdjustmentFacts['undone'] {
  if (undoes === null) return null;
  if (undone === null) return { missing: undoes };
  const { orderId, units, price, commission, profit, ratio } = undone;
  return { orderId, units, price, commission, profit, ratio };
}

/** Null while the broker has not reported its positions, or where no deployment has traded the instrument. */
export function accountPosition(
  held: ReadonlyMap<Symbol, number> | null,
  book: AccountBook | undefined,
  now: Instant,
): AccountPosition | null {
  if (held === null || book === undefined) return null;
  const { symbol, ours, external, externalPosition } = book;
  const broker = quantity(held.get(symbol) ?? 0);
  return { broker, ours, external, externalPosition, isProcessed: isLastSessionProcessed(book, now) };
}
