import type { BrokerAccountId, ExecutionId, Symbol } from '#units/identifiers.ts';
import type { ExecutionHold } from '../execution/reconciliation/execution-hold.ts';
import type { NewIncident } from './incident-changes.ts';

/** A reported execution that no books have taken; its hold is null where booking it failed. */
export type HeldExecution = {
  readonly id: ExecutionId;
  /** Null for an instrument that the catalogue does not hold. */
  readonly symbol: Symbol | null;
  readonly hold: ExecutionHold | null;
};

/** One that may belong to an order of unknown fate is booked once the order is confirmed; all others need a person. */
export function heldExecutionIncident(
  { id, symbol, hold }: HeldExecution,
  accountId: BrokerAccountId,
): NewIncident<'execution_held'> {
  const isExpected = hold?.code === 'order_unconfirmed';
  return {
    kind: 'execution_held',
    subject: id,
    symbol,
    accountId,
    facts: { code: hold?.code ?? 'booking_failed' },
    ...(isExpected ? { severity: 'watch', move: 'nobody' } : {}),
  };
}
